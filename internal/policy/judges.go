package policy

import (
	"fmt"
	"maps"
	"slices"

	"github.com/forestall/forestall/internal/facts"
	"github.com/forestall/forestall/internal/facts/fact"
	"github.com/forestall/forestall/internal/similar"
)

// checkJudgement refuses a judgement that can never hold: of a fact that does not exist, or with
// bounds for a fact that has no number.
func (r *Rule) checkJudgement(j facts.Judgement) error {
	switch {
	case !slices.Contains(facts.Subjects(), j.Of):
		return fmt.Errorf("of is %q: it is one of %q", j.Of, facts.Subjects())
	case !slices.Contains(facts.Names(j.Of), j.Fact):
		return fmt.Errorf("unknown fact %q of %s: it is one of %q", j.Fact, j.Of, facts.Names(j.Of))
	case j.State != fact.Present && j.State != fact.Absent:
		return fmt.Errorf("the state of %s is %q: a rule judges what is present or absent", j.Fact, j.State)
	}
	if err := r.checkBound(j, j.AtLeast); err != nil {
		return fmt.Errorf("atLeast of %s: %w", j.Fact, err)
	}
	if err := r.checkBound(j, j.AtMost); err != nil {
		return fmt.Errorf("atMost of %s: %w", j.Fact, err)
	}
	return nil
}

// checkBound looks at the name of a parameter that bounds the number of a fact.
func (r *Rule) checkBound(j facts.Judgement, param string) error {
	p, ok := r.Params[param]
	switch {
	case param == "":
		return nil
	case !slices.Contains(facts.Numbers(j.Of), j.Fact):
		return fmt.Errorf("the fact has no number: of the facts of %s, these have one: %q", j.Of, facts.Numbers(j.Of))
	case j.State != fact.Present:
		return fmt.Errorf("a fact that is %s has no number", j.State)
	case !ok:
		return fmt.Errorf("the rule has no parameter %q%s", param, similar.Question(param, slices.Sorted(maps.Keys(r.Params))))
	case !p.Type.isNumber():
		return fmt.Errorf("the parameter %q is of type %s: a number is of type %s or %s", param, p.Type, Integer, Quantity)
	}
	return nil
}
