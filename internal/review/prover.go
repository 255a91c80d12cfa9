package review

import (
	"context"
	"errors"
	"slices"

	"github.com/forestall/forestall/internal/budget"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/patch"
)

// maxProofs bounds how often a patched object is reviewed again. That finds each of two repairs that
// are at fault among a thousand, and some more where the findings themselves tell which it is.
const maxProofs = 48

var (
	errTooMany = errors.New("more repairs than one object gets")
	errSteps   = errors.New("its proof takes more steps than the object has left")
	errProofs  = errors.New("too many other repairs of the object are at fault to tell whether this one is sound")
)

// prover proves the repairs of one object, with what the review of the object has left of its
// budget. It knows findings by their places in the Decision.
type prover struct {
	ctx      context.Context
	reviewer *Reviewer
	subject  Subject
	decision Decision
	findings []finding.Finding
	sel      Selection
	budget   *budget.Budget
	proofs   int
	document *patch.Document // the object; nil until it is needed

	sound    []int // proved together, in order
	proved   proof // of these
	withheld map[int]error
}

// proof is a patch that was proved, and what it brings to light.
type proof struct {
	ops      []finding.Operation
	revealed []finding.Finding
}

func (r *Reviewer) prover(ctx context.Context, s Subject, d Decision, sel Selection) *prover {
	return &prover{
		ctx: ctx, reviewer: r, subject: s, decision: d, findings: d.Findings, sel: sel,
		budget: budget.New(ctx, max(d.left, 1)), withheld: map[int]error{},
	}
}

// keep adds to the sound ones those of some findings that can be proved with them, and withholds the
// others. It tries all at once and halves where that fails, so that one at fault among many costs
// few proofs. The fault is known where the same findings have been tried.
func (p *prover) keep(which []int, fault error) {
	if len(which) == 0 {
		return
	}
	if fault == nil {
		together := slices.Sorted(slices.Values(slices.Concat(p.sound, which)))
		found, err := p.prove(together)
		if err == nil {
			p.sound, p.proved = together, found
			return
		}
		fault = err
	}
	if len(which) == 1 || p.over() {
		for _, i := range which {
			p.withheld[i] = p.faultOf(i, len(which), fault)
		}
		return
	}
	first, second := halves(which, fault)
	before := len(p.withheld)
	p.keep(first, nil)
	if len(p.withheld) > before {
		fault = nil // some of the first were at fault; of the second nothing is known
	}
	p.keep(second, fault)
}

// each returns those of some findings whose repairs are proved, alone or together with others. A
// repair that cannot be made beside another one may be made in its place.
func (p *prover) each(which []int) []int {
	if len(which) == 0 || p.over() {
		return nil
	}
	_, err := p.prove(which)
	switch {
	case err == nil:
		return which
	case len(which) == 1:
		return nil
	}
	first, second := halves(which, err)
	return append(p.each(first), p.each(second)...)
}

// halves parts those that a failed proof speaks of from the others; where it does not tell, the
// first half from the second.
func halves(which []int, fault error) (first, second []int) {
	var told *faultyError
	if errors.As(fault, &told) {
		for _, i := range which {
			if told.at[i] != nil {
				second = append(second, i)
			} else {
				first = append(first, i)
			}
		}
	}
	if len(first) == 0 || len(second) == 0 {
		return which[:len(which)/2], which[len(which)/2:]
	}
	return first, second
}

// faultOf is why one of n findings is withheld, whose repairs were tried together.
func (p *prover) faultOf(i, n int, fault error) error {
	var told *faultyError
	switch {
	case n == 1:
		return fault
	case p.budget.Err() != nil:
		return p.ended()
	case errors.As(fault, &told) && told.at[i] != nil:
		return told.at[i]
	}
	return errProofs
}

// over reports whether there can be no other proof.
func (p *prover) over() bool { return p.proofs >= maxProofs || p.budget.Err() != nil }

// ended is why there can be no other step.
func (p *prover) ended() error {
	if p.budget.IsSpent() {
		return errSteps
	}
	return p.budget.Err()
}

// chosen are the findings at these places.
func (p *prover) chosen(which []int) []finding.Finding {
	all := make([]finding.Finding, len(which))
	for i, at := range which {
		all[i] = p.findings[at]
	}
	return all
}
