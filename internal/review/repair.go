package review

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/patch"
	"github.com/forestall/forestall/internal/policy"
)

// maxProposed bounds the findings of an object whose repairs are proved one by one:
// each proof is another review of the whole object.
const maxProposed = 100

// Propose gives each finding that brings repairs or suggestions its own patch, where
// the object may be patched and the patch is proved. It is for reports; what is not
// proved is left out, and the finding stands without it. So do the findings of an object
// that has more of them than anybody reads.
func (r *Reviewer) Propose(ctx context.Context, s Subject, d *Decision) {
	if len(d.Findings) > maxProposed {
		return
	}
	for i := range d.Findings {
		f := &d.Findings[i]
		if !d.scope.patched {
			continue
		}
		if len(f.Repairs) > 0 {
			f.Patch, _, _ = r.proved(ctx, s, *d, []finding.Finding{*f}, Selection{})
		} else if len(f.Suggestions) > 0 {
			f.Suggestion, _, _ = r.proved(ctx, s, *d, []finding.Finding{*f}, Selection{Suggestions: true})
		}
	}
}

// Repaired is a patch and what it repairs.
type Repaired struct {
	Patch    []finding.Operation
	Findings []finding.Finding
	// Withheld are the findings whose repairs were not proved, or not accepted, in the
	// order of Errors, which say why.
	Withheld []finding.Finding
	Errors   []policy.RuleError
	// Revealed are less certain findings that suggestions bring to light: a command that can
	// be run at last may turn out to end.
	Revealed []finding.Finding
}

// Selection says which findings are repaired, and with what. The zero value is what
// the webhook does.
type Selection struct {
	// Rules are the ids of the rules whose findings count; empty for all.
	Rules []string
	// Audited takes in the findings that are merely audited.
	Audited bool
	// Suggestions are made, too, where a finding has no repairs.
	Suggestions bool
	// Accept, if set, refuses a patch that cannot be used, with the reason.
	Accept func([]finding.Operation) error
}

// Repair returns one proved patch for all findings of the decision that can be
// repaired, that this request brought, and that are not merely audited.
func (r *Reviewer) Repair(ctx context.Context, s Subject, d Decision) (Repaired, error) {
	return r.RepairSelected(ctx, s, d, Selection{})
}

// RepairSelected is Repair for those who choose what is repaired.
func (r *Reviewer) RepairSelected(ctx context.Context, s Subject, d Decision, sel Selection) (Repaired, error) {
	candidates := sel.repairable(d)
	if ops, revealed, err := r.proved(ctx, s, d, candidates, sel); err == nil {
		return Repaired{Patch: ops, Findings: candidates, Revealed: revealed}, nil
	}
	// One of them is at fault: keep those that are sound with the ones before.
	var out Repaired
	for _, f := range candidates {
		together := append(slices.Clone(out.Findings), f)
		ops, revealed, err := r.proved(ctx, s, d, together, sel)
		if err != nil {
			out.Withheld = append(out.Withheld, f)
			out.Errors = append(out.Errors, policy.RuleError{Rule: f.Rule, Err: fmt.Errorf("the repair is withheld: %w", err)})
			continue
		}
		out.Patch, out.Findings, out.Revealed = ops, together, revealed
	}
	return out, ctx.Err()
}

func (sel Selection) repairable(d Decision) []finding.Finding {
	var with []finding.Finding
	for _, f := range d.Findings {
		if d.scope.patched && !f.Existing && len(sel.repairs(f)) > 0 && sel.counts(f) {
			with = append(with, f)
		}
	}
	return with
}

func (sel Selection) counts(f finding.Finding) bool {
	return (sel.Audited || f.Level.AtLeast(finding.Warn)) && (len(sel.Rules) == 0 || slices.Contains(sel.Rules, f.Rule))
}

// Offers reports whether a finding has suggestions that the selection leaves out.
func (sel Selection) Offers(f finding.Finding) bool {
	return !sel.Suggestions && len(f.Repairs) == 0 && len(f.Suggestions) > 0 && sel.counts(f)
}

// repairs of a finding are safe; suggestions stand in for them when they are wanted.
func (sel Selection) repairs(f finding.Finding) []finding.Repair {
	if len(f.Repairs) == 0 && sel.Suggestions {
		return f.Suggestions
	}
	return f.Repairs
}

// proved builds the patch for the findings and reviews the object with it: the
// findings must be gone, and no other may be there that was not there before, but for
// what suggestions reveal.
func (r *Reviewer) proved(ctx context.Context, s Subject, d Decision, findings []finding.Finding, sel Selection) (ops []finding.Operation, revealed []finding.Finding, err error) {
	if len(findings) == 0 {
		return nil, nil, nil
	}
	if ops, err = sel.patch(s, findings); err != nil {
		return nil, nil, err
	}
	patched, err := patch.Apply(s.Object, ops)
	if err != nil {
		return nil, nil, err
	}
	after, err := r.after(ctx, s, patched)
	if err != nil {
		return nil, nil, err
	}
	if revealed, err = sel.compare(d, findings, after); err != nil {
		return nil, nil, err
	}
	for i := range revealed {
		revealed[i].Level = r.levelInForce(&revealed[i], s.Operation, d.scope)
	}
	return ops, revealed, nil
}

// patch is made of the repairs of all findings.
func (sel Selection) patch(s Subject, findings []finding.Finding) ([]finding.Operation, error) {
	var repairs []finding.Repair
	for _, f := range findings {
		repairs = append(repairs, sel.repairs(f)...)
		if !additive(f.Repairs) {
			return nil, errors.New("a repair only adds: what changes a value is a suggestion")
		}
	}
	ops, err := patch.Build(s.Object, repairs)
	if err == nil && sel.Accept != nil {
		err = sel.Accept(ops)
	}
	return ops, err
}

func additive(repairs []finding.Repair) bool {
	return !slices.ContainsFunc(repairs, func(r finding.Repair) bool { return r.Op != "add" })
}

// after are the findings of a patched object.
func (r *Reviewer) after(ctx context.Context, s Subject, patched []byte) ([]finding.Finding, error) {
	view, err := r.settings.Kinds.FromObject(patched)
	if err != nil {
		return nil, fmt.Errorf("the patched object: %w", err)
	}
	after, failed, err := r.find(ctx, s, view, patched)
	if err == nil && len(failed) > 0 {
		err = failed[0]
	}
	return after, err
}

// compare holds the findings after a patch against those before it. The new ones that it
// returns are less certain than one which the patch mends.
func (sel Selection) compare(d Decision, mended, after []finding.Finding) (revealed []finding.Finding, err error) {
	gone := make(map[finding.Identity]bool, len(mended))
	for _, f := range mended {
		gone[f.Identity()] = true
	}
	surer := func(than finding.Finding) bool {
		return slices.ContainsFunc(mended, func(f finding.Finding) bool { return f.Certainty.SurerThan(than.Certainty) })
	}
	for _, f := range after {
		switch {
		case gone[f.Identity()]:
			return nil, fmt.Errorf("the patched object still has the finding at %s", f.Path)
		case d.fired[f.Identity()]:
		case sel.Suggestions && surer(f):
			revealed = append(revealed, f)
		default:
			return nil, fmt.Errorf("the patched object has a new finding of %s at %s", f.Rule, f.Path)
		}
	}
	return revealed, nil
}
