// Package report shows what an audit found: to people as a table, to programs as
// JSON or YAML.
package report

import (
	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/finding"
)

// APIVersion is the version of what programs read. Fields are only added within a
// version.
const APIVersion = "forestall.dev/v1alpha1"

// Report is the document that programs read.
type Report struct {
	APIVersion string            `json:"apiVersion"`
	Kind       string            `json:"kind"`
	Summary    Summary           `json:"summary"`
	Findings   []finding.Finding `json:"findings"`
	Errors     []Error           `json:"errors"`
}

// Summary counts.
type Summary struct {
	Files     int `json:"files"`
	Documents int `json:"documents"`
	Objects   int `json:"objects"`
	Judged    int `json:"judged"`
	// Skipped documents have no apiVersion and kind.
	Skipped  int    `json:"skipped"`
	Findings Levels `json:"findings"`
	Errors   int    `json:"errors"`
}

// Levels counts findings by level.
type Levels struct {
	Deny  int `json:"deny"`
	Warn  int `json:"warn"`
	Audit int `json:"audit"`
}

// Error is something that could not be read or judged.
type Error struct {
	Source finding.Source `json:"source"`
	// Rule is the rule that failed; empty where the input is at fault.
	Rule    string `json:"rule"`
	Message string `json:"message"`
}

// New makes a report of what an audit found.
func New(r audit.Result) Report {
	out := Report{
		APIVersion: APIVersion,
		Kind:       "AuditReport",
		Summary: Summary{
			Files: r.Files, Documents: r.Documents, Objects: r.Objects,
			Judged: r.Judged, Skipped: r.Skipped, Errors: len(r.Errors),
		},
		Findings: make([]finding.Finding, 0, len(r.Findings)),
		Errors:   make([]Error, 0, len(r.Errors)),
	}
	out.Findings = append(out.Findings, r.Findings...)
	for _, f := range r.Findings {
		out.Summary.Findings.count(f.Level)
	}
	for _, e := range r.Errors {
		out.Errors = append(out.Errors, Error{Source: e.Source, Rule: e.Rule, Message: e.Err.Error()})
	}
	return out
}

func (l *Levels) count(level finding.Level) {
	switch level {
	case finding.Deny:
		l.Deny++
	case finding.Warn:
		l.Warn++
	case finding.Audit:
		l.Audit++
	case finding.Off: // a rule that is off finds nothing
	}
}
