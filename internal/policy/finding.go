package policy

import (
	"encoding/json"

	"github.com/forestall/forestall/internal/finding"
)

// reported is a finding as a rule builds it. It holds what METADATA says of the rule as
// well, so that stock OPA shows it too; that is taken from the catalogue.
type reported struct {
	Rule        string           `json:"rule"`
	Cause       string           `json:"cause"`
	Container   string           `json:"container"`
	Path        string           `json:"path"`
	Reason      string           `json:"reason"`
	What        string           `json:"what"`
	Why         string           `json:"why"`
	Fix         string           `json:"fix"`
	Repairs     []finding.Repair `json:"repairs"`
	Suggestions []finding.Repair `json:"suggestions"`

	Level     json.RawMessage `json:"level"`
	Certainty json.RawMessage `json:"certainty"`
	Category  json.RawMessage `json:"category"`
	Failure   json.RawMessage `json:"failure"`
	Links     json.RawMessage `json:"links"`
}

// finding is what the rule says, and what the catalogue says of the rule.
func (r *reported) finding(of *Rule) finding.Finding {
	return finding.Finding{
		Rule: of.ID, Level: of.Level, Certainty: of.Certainty, Category: of.Category, Failure: of.Failure,
		Cause: r.Cause, Container: r.Container, Path: r.Path,
		Reason: r.Reason, What: r.What, Why: r.Why, Fix: r.Fix,
		Repairs: r.Repairs, Suggestions: r.Suggestions,
	}
}

// RuleError is the failure of one rule to give an answer. It never hides the
// answers of other rules.
type RuleError struct {
	Rule string
	// Level in force of the rule: what it might have done about a finding.
	Level finding.Level
	Err   error
}

// Error names the rule and what went wrong.
func (e RuleError) Error() string { return "rule " + e.Rule + ": " + e.Err.Error() }

// Unwrap returns the cause.
func (e RuleError) Unwrap() error { return e.Err }
