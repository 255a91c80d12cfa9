package review

import (
	"context"
	"fmt"
	"slices"

	"github.com/forestall/forestall/internal/patch"
	"github.com/forestall/forestall/internal/policy"
	"github.com/forestall/forestall/internal/workload"
)

// maxProposed bounds the findings of an object whose repairs are proved one by one:
// each proof is another review of the whole object.
const maxProposed = 100

// Propose gives each finding that brings repairs its own patch, where the object
// may be patched and the patch is proved. It is for reports; a repair that is not
// proved is left out, and the finding stands without it. So do the findings of an object
// that has more of them than anybody reads.
func (r *Reviewer) Propose(ctx context.Context, s Subject, d *Decision) {
	if len(d.Findings) > maxProposed {
		return
	}
	for i := range d.Findings {
		f := &d.Findings[i]
		if !d.patchable || len(f.Repairs) == 0 {
			continue
		}
		if ops, err := r.proved(ctx, s, *d, []Finding{*f}); err == nil {
			f.Patch = ops
		}
	}
}

// Repaired is a patch and what it repairs.
type Repaired struct {
	Patch    []patch.Operation
	Findings []Finding
	// Errors are the repairs that were withheld because they were not proved.
	Errors []policy.RuleError
}

// Repair returns one proved patch for all findings of the decision that can be
// repaired, that this request brought, and that are not merely audited.
func (r *Reviewer) Repair(ctx context.Context, s Subject, d Decision) (Repaired, error) {
	candidates := repairable(d)
	if ops, err := r.proved(ctx, s, d, candidates); err == nil {
		return Repaired{Patch: ops, Findings: candidates}, nil
	}
	// One of them is at fault: keep those that are sound with the ones before.
	var out Repaired
	for _, f := range candidates {
		together := append(slices.Clone(out.Findings), f)
		ops, err := r.proved(ctx, s, d, together)
		if err != nil {
			out.Errors = append(out.Errors, policy.RuleError{Rule: f.Rule, Err: fmt.Errorf("the repair is withheld: %w", err)})
			continue
		}
		out.Patch, out.Findings = ops, together
	}
	return out, ctx.Err()
}

func repairable(d Decision) []Finding {
	var with []Finding
	for _, f := range d.Findings {
		if d.patchable && !f.Existing && len(f.Repairs) > 0 && f.Level.AtLeast(policy.Warn) {
			with = append(with, f)
		}
	}
	return with
}

// proved builds the patch for the findings and reviews the object with it: the
// findings must be gone, and no other may be there that was not there before.
func (r *Reviewer) proved(ctx context.Context, s Subject, d Decision, findings []Finding) ([]patch.Operation, error) {
	if len(findings) == 0 {
		return nil, nil
	}
	gone := map[Identity]bool{}
	var repairs []policy.Repair
	for _, f := range findings {
		gone[f.Identity] = true
		repairs = append(repairs, f.Repairs...)
	}
	ops, err := patch.Build(s.Object, repairs)
	if err != nil {
		return nil, err
	}
	patched, err := patch.Apply(s.Object, ops)
	if err != nil {
		return nil, err
	}
	view, err := workload.FromObject(patched)
	if err != nil {
		return nil, fmt.Errorf("the patched object: %w", err)
	}
	after, failed, err := r.find(ctx, s, view, patched)
	if err != nil {
		return nil, err
	}
	if len(failed) > 0 {
		return nil, failed[0]
	}
	if err := compare(d, gone, after); err != nil {
		return nil, err
	}
	return ops, nil
}

// compare holds the findings after a patch against those before it.
func compare(d Decision, gone map[Identity]bool, after []Finding) error {
	for _, f := range after {
		switch {
		case gone[f.Identity]:
			return fmt.Errorf("the patched object still has the finding at %s", f.Path)
		case !d.fired[f.Identity]:
			return fmt.Errorf("the patched object has a new finding of %s at %s", f.Rule, f.Path)
		}
	}
	return nil
}
