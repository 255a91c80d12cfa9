package policy

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/forestall/forestall/internal/finding"
)

// catalogue reads the package annotations of all rules and checks them: a rule
// that could not be explained, configured or asked is an error at start.
func catalogue(c *ast.Compiler) ([]Rule, error) {
	var rules []Rule
	var errs []error
	for _, ref := range c.GetAnnotationSet().Flatten() {
		a := ref.Annotations
		if a == nil || a.Scope != "package" || !isRule(ref.Path) {
			continue
		}
		r, err := ruleOf(ref)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", ref.Location, err))
			continue
		}
		rules = append(rules, r)
	}
	errs = append(errs, withoutMetadata(c, rules)...)
	if err := errors.Join(errs...); err != nil {
		return nil, fmt.Errorf("reading the catalogue: %w", err)
	}
	slices.SortFunc(rules, func(a, b Rule) int { return cmp.Compare(a.ID, b.ID) })
	return rules, nil
}

// isRule reports whether the package is data.forestall.rules[id].
func isRule(path ast.Ref) bool {
	return len(path) == len(rulesRef)+1 && path.HasPrefix(rulesRef)
}

func ruleOf(ref *ast.AnnotationsRef) (Rule, error) {
	id, ok := ref.Path[len(ref.Path)-1].Value.(ast.String)
	if !ok {
		return Rule{}, fmt.Errorf("the package %s does not end in a rule id", ref.Path)
	}
	raw, err := json.Marshal(ref.Annotations.Custom)
	if err != nil {
		return Rule{}, fmt.Errorf("reading METADATA custom: %w", err)
	}
	r := Rule{ID: string(id), Title: ref.Annotations.Title, Description: ref.Annotations.Description}
	if err := decodeStrict(raw, &r.Custom); err != nil {
		return Rule{}, fmt.Errorf("reading METADATA custom: %w", err)
	}
	for _, l := range ref.Annotations.RelatedResources {
		r.Links = append(r.Links, Link{Title: l.Description, URL: l.Ref.String()})
	}
	if r.Level == "" {
		r.Level = r.Certainty.DefaultLevel()
	}
	return r, r.check()
}

func (r Rule) check() error {
	var errs []error
	for name, value := range map[string]string{
		"title": r.Title, "description": r.Description, "custom.category": r.Category, "custom.concern": r.Concern,
		"custom.failure": r.Failure, "custom.remediation": r.Remediation, "custom.since": r.Since,
	} {
		if value == "" {
			errs = append(errs, fmt.Errorf("METADATA %s is missing", name))
		}
	}
	if !slices.Contains(finding.Certainties(), r.Certainty) {
		errs = append(errs, fmt.Errorf("METADATA custom.certainty is %q: it is one of %q", r.Certainty, finding.Certainties()))
	}
	if _, err := finding.ParseLevel(string(r.Level)); err != nil {
		errs = append(errs, fmt.Errorf("METADATA custom.level: %w", err))
	}
	if len(r.Judges) == 0 {
		errs = append(errs, errors.New("METADATA custom.judges is missing"))
	}
	for _, j := range r.Judges {
		if err := r.checkJudgement(j); err != nil {
			errs = append(errs, fmt.Errorf("METADATA custom.judges: %w", err))
		}
	}
	for i := range r.ConfirmedBy {
		if err := r.ConfirmedBy[i].Check(); err != nil {
			errs = append(errs, fmt.Errorf("METADATA custom.confirmedBy[%d]: %w", i, err))
		}
	}
	if len(r.ConfirmedBy) > 0 && r.Unconfirmed != "" {
		errs = append(errs, errors.New("METADATA custom has confirmedBy and unconfirmed: one of them excludes the other"))
	}
	return errors.Join(errs...)
}

// withoutMetadata finds the rule packages that have no annotation at all.
func withoutMetadata(c *ast.Compiler, known []Rule) []error {
	var errs []error
	for file, m := range c.Modules {
		if !isRule(m.Package.Path) {
			continue
		}
		id, _ := m.Package.Path[len(m.Package.Path)-1].Value.(ast.String)
		found := slices.ContainsFunc(known, func(r Rule) bool { return r.ID == string(id) })
		if !found && len(m.Annotations) == 0 {
			errs = append(errs, fmt.Errorf("%s: rule %s has no METADATA", file, string(id)))
		}
	}
	return errs
}
