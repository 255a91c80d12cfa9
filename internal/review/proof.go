package review

import (
	"errors"
	"fmt"
	"slices"

	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/patch"
	"github.com/forestall/forestall/internal/workload"
)

// faultyError says why a patch was not proved, and which findings have the repairs that may be
// at fault.
type faultyError struct {
	error
	at map[int]error // their places, and what is told of each; empty where that cannot be told
}

// Unwrap returns the reason.
func (e *faultyError) Unwrap() error { return e.error }

// prove builds the patch for some findings and reviews the patched object. The findings must be
// gone, and no other may have come but those that suggestions reveal.
func (p *prover) prove(which []int) (proof, error) {
	if p.proofs >= maxProofs {
		return proof{}, errProofs
	}
	// Each proof writes, reads and digests the object once more.
	if !p.budget.Spend(1 + 3*len(p.subject.Object)/bytesPerStep) {
		return proof{}, p.ended()
	}
	p.proofs++
	ops, err := p.patch(which)
	if err != nil {
		return proof{}, err
	}
	patched, err := patch.Apply(p.subject.Object, ops)
	if err != nil {
		return proof{}, err
	}
	after, err := p.after(patched)
	if err != nil {
		return proof{}, err
	}
	revealed, err := p.compare(which, after)
	if err != nil {
		return proof{}, err
	}
	for i := range revealed {
		revealed[i].Level = p.reviewer.levelInForce(&revealed[i], p.subject.Operation, p.decision.scope)
	}
	return proof{ops, revealed}, nil
}

// patch returns the operations that make the repairs of some findings.
func (p *prover) patch(which []int) ([]finding.Operation, error) {
	if p.document == nil {
		if workload.TreeWeight(p.subject.Object) > maxDocument {
			return nil, errTooLarge
		}
		d, err := patch.Read(p.subject.Object)
		if err != nil {
			return nil, err
		}
		p.document = d
	}
	var repairs []finding.Repair
	for _, f := range p.chosen(which) {
		repairs = append(repairs, p.sel.repairs(f)...)
		if !additive(f.Repairs) {
			return nil, errors.New("a repair only adds: what changes a value is a suggestion")
		}
	}
	if !p.budget.Spend(len(repairs)) {
		return nil, p.ended()
	}
	ops, err := p.document.Build(repairs)
	if err == nil && p.sel.Accept != nil {
		err = p.sel.Accept(ops)
	}
	return ops, err
}

func additive(repairs []finding.Repair) bool {
	return !slices.ContainsFunc(repairs, func(r finding.Repair) bool { return r.Op != "add" })
}

// after returns the findings of a patched object.
func (p *prover) after(patched []byte) ([]finding.Finding, error) {
	read, err := p.reviewer.read(p.subject, patched)
	if err != nil {
		return nil, fmt.Errorf("the patched object: %w", err)
	}
	after, err := p.reviewer.find(p.ctx, p.budget, p.subject, read)
	switch {
	case err != nil:
		return nil, err
	case after.unfinished:
		p.budget.Spend(int(p.budget.Left()) + 1) // what is left does not suffice for another proof
		return nil, errSteps
	case len(after.failed) > 0:
		return nil, after.failed[0]
	}
	return after.findings, nil
}

// compare compares the findings after a patch with those before it. The new ones that it
// returns are less certain than a finding that the patch mends; any other new one is an error.
func (p *prover) compare(mended []int, after []finding.Finding) (revealed []finding.Finding, err error) {
	gone := make(map[finding.Identity][]int, len(mended))
	beside := make(map[string][]int, len(mended)) // by container
	surest := p.findings[mended[0]].Certainty
	for _, i := range mended {
		f := p.findings[i]
		gone[f.Identity()] = append(gone[f.Identity()], i)
		beside[f.Container] = append(beside[f.Container], i)
		if f.Certainty.SurerThan(surest) {
			surest = f.Certainty
		}
	}
	fault := &faultyError{at: map[int]error{}}
	blame := func(these []int, format string, args ...any) {
		err := fmt.Errorf(format, args...)
		if fault.error == nil {
			fault.error = err
		}
		for _, i := range these {
			if fault.at[i] == nil {
				fault.at[i] = err
			}
		}
	}
	for _, f := range after {
		still, was := gone[f.Identity()]
		switch {
		case was:
			blame(still, "the patched object still has the finding at %s", f.Path)
		case p.decision.fired[f.Identity()]:
		case p.sel.Suggestions && surest.SurerThan(f.Certainty):
			revealed = append(revealed, f)
		default:
			blame(beside[f.Container], "the patched object has a new finding of %s at %s", f.Rule, f.Path)
		}
	}
	if fault.error != nil {
		return nil, fault
	}
	return revealed, nil
}
