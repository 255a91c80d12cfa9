package policy

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/forestall/forestall/internal/finding"
)

// findingsOf reads the report of a rule, a set or a list of findings.
func findingsOf(r *Rule, report ast.Value) ([]finding.Finding, error) {
	list, ok := report.(interface {
		Len() int
		Iter(func(*ast.Term) error) error
	})
	if !ok {
		return nil, errors.New("the report is no set")
	}
	findings := make([]finding.Finding, 0, list.Len())
	err := list.Iter(func(t *ast.Term) error {
		f, err := findingOf(r, t)
		findings = append(findings, f)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("reading the report: %w", err)
	}
	return findings, nil
}

// findingOf returns a finding with what the rule says, and what the catalogue says of the rule. A
// report repeats the latter for readers of stock OPA, so it is not read from there.
func findingOf(r *Rule, t *ast.Term) (finding.Finding, error) {
	f := finding.Finding{Rule: r.ID, Level: r.Level, Certainty: r.Certainty, Category: r.Category, Failure: r.Failure}
	o, ok := t.Value.(ast.Object)
	if !ok {
		return f, fmt.Errorf("%v is no finding", t)
	}
	var id string
	err := o.Iter(func(key, value *ast.Term) error {
		name, _ := key.Value.(ast.String)
		if err := readField(&f, &id, string(name), value); err != nil {
			return fmt.Errorf("%v of a finding: %w", key, err)
		}
		return nil
	})
	if err == nil && id != r.ID {
		err = fmt.Errorf("it holds a finding of rule %q", id)
	}
	return f, err
}

func readField(f *finding.Finding, id *string, name string, value *ast.Term) error {
	texts := [...]struct {
		name string
		into *string
	}{
		{"rule", id},
		{"cause", &f.Cause},
		{"container", &f.Container},
		{"path", &f.Path},
		{"reason", &f.Reason},
		{"what", &f.What},
		{"why", &f.Why},
		{"fix", &f.Fix},
	}
	for _, t := range texts {
		if t.name != name {
			continue
		}
		s, ok := value.Value.(ast.String)
		if !ok {
			return fmt.Errorf("%v is no text", value)
		}
		*t.into = string(s)
		return nil
	}
	switch name {
	case "repairs":
		return readRepairs(value, &f.Repairs)
	case "suggestions":
		return readRepairs(value, &f.Suggestions)
	case "level", "certainty", "category", "failure", "links":
		return nil // the catalogue says that
	}
	return errors.New("there is no such field")
}

// readRepairs reads repairs through JSON, since their values are of any form.
func readRepairs(t *ast.Term, into *[]finding.Repair) error {
	value, err := ast.JSON(t.Value)
	if err != nil {
		return err
	}
	raw, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return decodeStrict(raw, into)
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
