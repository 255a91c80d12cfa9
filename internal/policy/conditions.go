package policy

import "github.com/forestall/forestall/internal/facts"

// Conditions tell which rules are asked about an object: those that have a judgement which holds,
// with the parameters in force. They are immutable and safe for concurrent use.
type Conditions struct {
	rules []Rule
	judge []facts.Condition // by the place of the rule
}

// Conditions returns the Conditions of all rules with these parameters, which have the form that
// Params returns.
func (e *Engine) Conditions(params map[string]map[string]any) *Conditions {
	c := &Conditions{rules: e.rules, judge: make([]facts.Condition, len(e.rules))}
	for i := range e.rules {
		c.judge[i] = facts.ConditionOf(e.rules[i].Judges, numbers(params[e.rules[i].ID]))
	}
	return c
}

// Asked returns the rules that have a judgement which holds.
func (c *Conditions) Asked(observed *facts.Facts) []Rule {
	var asked []Rule
	for i := range c.rules {
		if c.judge[i].Holds(observed) {
			asked = append(asked, c.rules[i])
		}
	}
	return asked
}
