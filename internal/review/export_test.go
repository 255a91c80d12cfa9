package review

import "context"

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
