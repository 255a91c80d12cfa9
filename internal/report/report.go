// Package report shows what an audit found: to people as a table, to programs as
// JSON or YAML, and to the tools of a team in the formats that these read.
package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/policy"
	"github.com/forestall/forestall/internal/report/html"
	"github.com/forestall/forestall/internal/terminal"
)

// APIVersion is the version of what programs read. Fields are only added within a
// version.
const APIVersion = "forestall.dev/v1alpha1"

// Report is the document that programs read. It is written field by field while the audit runs: a
// report without a summary is not whole.
type Report struct {
	APIVersion string            `json:"apiVersion"`
	Kind       string            `json:"kind"`
	Findings   []finding.Finding `json:"findings"`
	// Ignored are the findings that annotations of their objects take out.
	Ignored []finding.Ignored `json:"ignored"`
	// Troubles are the failures that a running cluster reports and no finding predicts. The field is left out
	// where no cluster was asked.
	Troubles []finding.Trouble `json:"troubles,omitempty"`
	Warnings []audit.Warning   `json:"warnings"`
	Errors   []Error           `json:"errors"`
	Summary  audit.Summary     `json:"summary"`
}

const reportKind = "AuditReport"

// Error is something that could not be read or judged.
type Error struct {
	Source finding.Source `json:"source"`
	// Rule is the rule that failed; empty where the input is at fault.
	Rule    string `json:"rule"`
	Message string `json:"message"`
}

func newError(e audit.Error) Error {
	return Error{Source: e.Source, Rule: e.Rule, Message: e.Err.Error()}
}

// Options describe the run and the place that a report is written to.
type Options struct {
	// Screen is where text for people goes.
	Screen terminal.Screen
	// Rules is the catalogue, for formats that describe rules.
	Rules []policy.Rule
	// Version of forestall.
	Version string
	// Now is when the report is made; the zero time leaves it out.
	Now time.Time
	// Page returns the page of a rule in Markdown, for formats that have a place for it; nil leaves it out.
	Page func(policy.Rule) (string, error)
	// FailOn is the lowest level of a finding that fails a run; empty is deny. With FailNone no finding does.
	FailOn   finding.Level
	FailNone bool
}

// fails reports whether a finding of the level fails a run.
func (o Options) fails(l finding.Level) bool {
	return !o.FailNone && l.AtLeast(cmp.Or(o.FailOn, finding.Deny))
}

// Audit returns a sink that shows a run in the format. Most are written while it runs. A table has to wait for the
// widths of its columns.
func Audit(w io.Writer, f Format, o Options) (audit.Sink, error) {
	for _, known := range auditFormats() {
		if known.name == f || f == "" {
			return known.sink(w, o), nil
		}
	}
	return nil, fmt.Errorf("there is no format %q: it is one of %q", f, AuditFormats())
}

// auditFormat is a way to show an audit.
type auditFormat struct {
	name Format
	// patches says that the patches of findings are to be seen in it.
	patches bool
	sink    func(io.Writer, Options) audit.Sink
}

// auditFormats are the formats of audits, the first of which is for people.
func auditFormats() []auditFormat {
	return []auditFormat{
		{name: Table, sink: func(w io.Writer, o Options) audit.Sink { return newTable(w, o.Screen) }},
		{name: JSON, patches: true, sink: func(w io.Writer, _ Options) audit.Sink { return newStream(w, inJSON{}) }},
		{name: YAML, patches: true, sink: func(w io.Writer, _ Options) audit.Sink { return newStream(w, inYAML{}) }},
		{name: HTML, patches: true, sink: func(w io.Writer, o Options) audit.Sink {
			return html.New(w, html.Options{Rules: o.Rules, Version: o.Version, Now: o.Now})
		}},
		{name: NDJSON, patches: true, sink: func(w io.Writer, _ Options) audit.Sink { return newNDJSON(w) }},
		{name: SARIF, sink: func(w io.Writer, o Options) audit.Sink { return newSARIF(w, o) }},
		{name: JUnit, sink: func(w io.Writer, o Options) audit.Sink { return newJUnit(w, o) }},
		{name: Markdown, sink: func(w io.Writer, o Options) audit.Sink { return newMarkdown(w, o) }},
		{name: GitHub, sink: func(w io.Writer, _ Options) audit.Sink { return newGitHub(w) }},
		{name: GitLab, sink: func(w io.Writer, _ Options) audit.Sink { return newGitLab(w) }},
		{name: OpenReports, sink: func(w io.Writer, o Options) audit.Sink { return newReports(w, o, openReports()) }},
		{name: PolicyReport, sink: func(w io.Writer, o Options) audit.Sink { return newReports(w, o, policyReports()) }},
	}
}

// AuditFormats lists the formats of audits; the first is for people.
func AuditFormats() []Format {
	var all []Format
	for _, f := range auditFormats() {
		all = append(all, f.name)
	}
	return all
}

// ShowsPatches reports whether the patches of findings are to be seen in the format.
func (f Format) ShowsPatches() bool {
	return slices.ContainsFunc(auditFormats(), func(known auditFormat) bool { return known.name == f && known.patches })
}
