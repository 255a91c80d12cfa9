package review

import (
	"context"
	"maps"
	"slices"
)

// WithSteps returns the Reviewer with another budget for each object.
func (r *Reviewer) WithSteps(steps int64) *Reviewer {
	other := *r
	other.steps = steps
	return &other
}

// CountProofs proposes the repairs of a Decision, and returns how many proofs that took.
func CountProofs(ctx context.Context, r *Reviewer, s Subject, d *Decision) int {
	p := r.prover(ctx, s, *d, Selection{})
	p.propose(d)
	return p.proofs
}

// Fired returns the rules that found something in the object, also where their findings were merged into others.
func Fired(d *Decision) []string {
	rules := map[string]bool{}
	for id := range d.fired {
		rules[id.Rule] = true
	}
	return slices.Sorted(maps.Keys(rules))
}
