package review

import (
	"context"
	"fmt"
	"slices"

	"github.com/forestall/forestall/internal/patch"
	"github.com/forestall/forestall/internal/policy"
	"github.com/forestall/forestall/internal/workload"
)

// attachPatches gives each finding that brings repairs its patch, where the object
// may be patched and the patch is proved: the patched object no longer has the
// finding, and has no other that was not there before.
func (r *Reviewer) attachPatches(ctx context.Context, s Subject, c opened, d *Decision) {
	if !c.scope.patched {
		return
	}
	for i := range d.Findings {
		f := &d.Findings[i]
		if len(f.Repairs) == 0 || f.Existing {
			continue
		}
		ops, err := r.proved(ctx, s, *d, []Finding{*f})
		if err != nil {
			d.Errors = append(d.Errors, policy.RuleError{Rule: f.Rule, Err: fmt.Errorf("the repair is withheld: %w", err)})
			continue
		}
		f.Patch = ops
	}
}

// Repaired is a patch and what it repairs.
type Repaired struct {
	Patch    []patch.Operation
	Findings []Finding
	// Errors are repairs that are sound alone but not together with those before them.
	Errors []policy.RuleError
}

// Repair returns one patch for all findings of the decision that can be repaired
// and that are not merely audited.
func (r *Reviewer) Repair(ctx context.Context, s Subject, d Decision) (Repaired, error) {
	candidates := repairable(d)
	if ops, err := r.proved(ctx, s, d, candidates); err == nil {
		return Repaired{Patch: ops, Findings: candidates}, nil
	}
	var out Repaired
	for _, f := range candidates {
		ops, err := r.proved(ctx, s, d, append(slices.Clone(out.Findings), f))
		if err != nil {
			out.Errors = append(out.Errors, policy.RuleError{Rule: f.Rule, Err: err})
			continue
		}
		out.Patch, out.Findings = ops, append(out.Findings, f)
	}
	return out, ctx.Err()
}

func repairable(d Decision) []Finding {
	var with []Finding
	for _, f := range d.Findings {
		if len(f.Patch) > 0 && f.Level.AtLeast(policy.Warn) {
			with = append(with, f)
		}
	}
	return with
}

// proved builds the patch for the findings and reviews the object with it.
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
	return ops, compare(d, gone, after)
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
