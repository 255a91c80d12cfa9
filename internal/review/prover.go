package review

import (
	"context"
	"errors"
	"slices"

	"github.com/forestall/forestall/internal/budget"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/patch"
	"github.com/forestall/forestall/internal/workload"
)

// maxProofs bounds how often a patched object is reviewed again. That is enough to find two
// faulty repairs among a thousand, and more of them where the findings tell which repairs are at
// fault.
const maxProofs = 48

// maxDocument bounds what an object takes as a tree of values, which stands beside all else while its repairs are
// proved.
const maxDocument = workload.MaxWeight / 2

var (
	errTooMany  = errors.New("the object has more repairs than are made at once")
	errTooLarge = errors.New("the object is too large to be repaired")
	errSteps    = errors.New("its proof takes more steps than are left for the object")
	errProofs   = errors.New("too many other repairs of the object are at fault to tell whether this one is sound")
)

// prover proves the repairs of one object, within the steps that its review has left. It names
// findings by their positions in the Decision.
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

// proof is a patch that was proved, and the findings that it brings to light.
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

// keep adds findings to the sound ones if their repairs can be proved together with those, and
// withholds the others. It tries all at once and, where that fails, each half, so that one faulty
// repair among many costs few proofs. fault is why the same findings could not be proved together
// before; nil where they were not tried.
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

// each returns the findings whose repairs are proved, alone or together with others. The
// repairs of two findings that it returns may exclude each other.
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

// halves parts the findings that a failed proof speaks of from the others. Where it speaks of
// none or of all, halves parts the first half from the second.
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

// faultOf returns why the finding i is withheld, after the repairs of n findings failed
// together.
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

// over reports whether no more proofs may be tried.
func (p *prover) over() bool { return p.proofs >= maxProofs || p.budget.Err() != nil }

// ended returns why no more steps may be taken.
func (p *prover) ended() error {
	if p.budget.IsSpent() {
		return errSteps
	}
	return p.budget.Err()
}

// chosen returns the findings at these positions.
func (p *prover) chosen(which []int) []finding.Finding {
	all := make([]finding.Finding, len(which))
	for i, at := range which {
		all[i] = p.findings[at]
	}
	return all
}
