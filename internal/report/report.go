// Package report shows what an audit found: to people as a table, to programs as
// JSON or YAML.
package report

import (
	"io"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/finding"
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
	Ignored  []finding.Ignored `json:"ignored"`
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

// Audit returns a sink that shows a run in the format. JSON and YAML are written while it
// runs. A table has to wait for the widths of its columns.
func Audit(w io.Writer, f Format, s terminal.Screen) (audit.Sink, error) {
	switch f {
	case Table, "":
		return newTable(w, s), nil
	case JSON:
		return newStream(w, inJSON{}), nil
	case YAML:
		return newStream(w, inYAML{}), nil
	}
	return nil, unknown(f)
}
