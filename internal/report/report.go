// Package report shows what an audit found: to people as a table, to programs as
// JSON or YAML.
package report

import (
	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/explain"
	"github.com/forestall/forestall/internal/patch"
	"github.com/forestall/forestall/internal/policy"
)

// APIVersion is the version of what programs read. Fields are only added within a
// version.
const APIVersion = "forestall.dev/v1alpha1"

// Report is the document that programs read.
type Report struct {
	APIVersion string    `json:"apiVersion"`
	Kind       string    `json:"kind"`
	Summary    Summary   `json:"summary"`
	Findings   []Finding `json:"findings"`
	Errors     []Error   `json:"errors"`
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

// Finding is one finding.
type Finding struct {
	Rule      string           `json:"rule"`
	Level     policy.Level     `json:"level"`
	Certainty policy.Certainty `json:"certainty"`
	Category  string           `json:"category"`
	Failure   string           `json:"failure"`
	Object    Object           `json:"object"`
	// Container is empty where the whole pod is meant.
	Container string       `json:"container"`
	Path      string       `json:"path"`
	Source    audit.Source `json:"source"`
	// Message is the whole finding in one line.
	Message string            `json:"message"`
	What    string            `json:"what"`
	Why     string            `json:"why"`
	Fix     string            `json:"fix"`
	Patch   []patch.Operation `json:"patch,omitempty"`
	// Suggestion is a patch that changes what somebody wrote.
	Suggestion []patch.Operation `json:"suggestion,omitempty"`

	reason string
}

// Object names an object. Namespace is empty where the manifest leaves it open.
type Object struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Namespace  string `json:"namespace"`
	Name       string `json:"name"`
}

// Error is something that could not be read or judged.
type Error struct {
	Source audit.Source `json:"source"`
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
		Findings: make([]Finding, 0, len(r.Findings)),
		Errors:   make([]Error, 0, len(r.Errors)),
	}
	for _, f := range r.Findings {
		out.Findings = append(out.Findings, finding(f))
		out.Summary.Findings.count(f.Level)
	}
	for _, e := range r.Errors {
		out.Errors = append(out.Errors, Error{Source: e.Source, Rule: e.Rule, Message: e.Err.Error()})
	}
	return out
}

func (l *Levels) count(level policy.Level) {
	switch level {
	case policy.Deny:
		l.Deny++
	case policy.Warn:
		l.Warn++
	case policy.Audit:
		l.Audit++
	case policy.Off: // a rule that is off finds nothing
	}
}

func finding(f audit.Finding) Finding {
	return Finding{
		Rule: f.Rule, Level: f.Level, Certainty: f.Certainty, Category: f.Category, Failure: f.Failure,
		Object: Object(f.Object), Container: f.Container, Path: f.Path, Source: f.Source,
		Message: explain.Reason(f.Finding), What: f.What, Why: f.Why, Fix: f.Fix, Patch: f.Patch, Suggestion: f.Suggestion,
		reason: f.Reason,
	}
}
