package review

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/policy"
)

// maxRepaired bounds how many findings of one object are repaired, or get a patch proposed.
// Nobody reads more of them, and the object comes again when these are mended.
const maxRepaired = 1000

// Propose gives each finding with repairs or suggestions a patch of its own, where the object
// may be patched and a review has proved the patch. Patches of several findings are proved
// together where possible. Propose is for reports: a finding whose patch is not proved stands
// without one.
func (r *Reviewer) Propose(ctx context.Context, s Subject, d *Decision) {
	if !d.scope.patched || d.Unfinished != "" {
		return
	}
	p := r.prover(ctx, s, *d, Selection{})
	p.propose(d)
	d.Steps += p.budget.Spent()
}

// MarkPatched marks the findings that Repair takes away: in admission they are patched, and neither denied nor
// warned about. It is for audits, which change nothing.
func (r *Reviewer) MarkPatched(ctx context.Context, s Subject, d *Decision) {
	candidates := Selection{}.repairable(*d)
	if len(candidates) == 0 || d.Unfinished != "" {
		return
	}
	p := r.prover(ctx, s, *d, Selection{})
	p.keep(candidates[:min(len(candidates), maxRepaired)], nil)
	for _, i := range p.sound {
		d.Findings[i].Patched = true
	}
	d.Steps += p.budget.Spent()
}

func (p *prover) propose(d *Decision) {
	p.offer(func(f finding.Finding) bool { return len(f.Repairs) > 0 }, func(i int, ops []finding.Operation) { d.Findings[i].Patch = ops })
	p.sel.Suggestions = true
	p.offer(Selection{}.suggests, func(i int, ops []finding.Operation) { d.Findings[i].Suggestion = ops })
}

// offer proves the patches of the findings that are wanted, and sets those that were proved.
func (p *prover) offer(wanted func(finding.Finding) bool, set func(i int, ops []finding.Operation)) {
	var which []int
	for i, f := range p.findings {
		if wanted(f) && len(which) < maxRepaired {
			which = append(which, i)
		}
	}
	for _, i := range p.each(which) {
		if ops, err := p.patch([]int{i}); err == nil {
			set(i, ops)
		}
	}
}

// suggests reports whether a finding has suggestions, and nothing safer.
func (Selection) suggests(f finding.Finding) bool {
	return len(f.Repairs) == 0 && len(f.Suggestions) > 0
}

// Repaired is a patch and what it repairs.
type Repaired struct {
	Patch    []finding.Operation
	Findings []finding.Finding
	// Withheld are the findings whose repairs were not proved or not accepted. Errors says why,
	// in the same order.
	Withheld []finding.Finding
	Errors   []policy.RuleError
	// Revealed are less certain findings that suggestions bring to light: a command that can
	// now be run may turn out to end.
	Revealed []finding.Finding
	// Proofs is how many patches were tried, each by a review of the patched object.
	Proofs int
	// Steps is how many steps the proofs took.
	Steps int64
}

// Selection says which findings are repaired, and with what. The zero value is what
// the webhook does.
type Selection struct {
	// Audited selects findings that are merely audited, too.
	Audited bool
	// Suggestions selects the suggestions of findings that have no repairs, too.
	Suggestions bool
	// Accept, if set, refuses a patch that cannot be used, with the reason.
	Accept func([]finding.Operation) error
}

// Repair returns one proved patch for all findings of the decision that can be
// repaired, that this request brought, and that are not merely audited.
func (r *Reviewer) Repair(ctx context.Context, s Subject, d Decision) (Repaired, error) {
	return r.RepairSelected(ctx, s, d, Selection{})
}

// RepairSelected is Repair for callers who select what is repaired. It withholds repairs that
// cannot be proved together with the others. It fails when the context ends.
func (r *Reviewer) RepairSelected(ctx context.Context, s Subject, d Decision, sel Selection) (Repaired, error) {
	if d.Unfinished != "" {
		return Repaired{}, ctx.Err()
	}
	p := r.prover(ctx, s, d, sel)
	candidates := sel.repairable(d)
	p.keep(candidates[:min(len(candidates), maxRepaired)], nil)
	for _, i := range candidates[min(len(candidates), maxRepaired):] {
		p.withheld[i] = errTooMany
	}
	out := Repaired{Patch: p.proved.ops, Revealed: p.proved.revealed, Proofs: p.proofs, Steps: p.budget.Spent()}
	for _, i := range p.sound {
		out.Findings = append(out.Findings, p.findings[i])
	}
	for _, i := range slices.Sorted(maps.Keys(p.withheld)) {
		f := p.findings[i]
		out.Withheld = append(out.Withheld, f)
		out.Errors = append(out.Errors, policy.RuleError{Rule: f.Rule, Err: fmt.Errorf("the repair is withheld: %w", p.withheld[i])})
	}
	return out, ctx.Err()
}

// repairable returns the positions of the findings that are to be repaired.
func (sel Selection) repairable(d Decision) []int {
	var with []int
	for i, f := range d.Findings {
		if d.scope.patched && !f.Existing && len(sel.repairs(f)) > 0 && sel.counts(f) {
			with = append(with, i)
		}
	}
	return with
}

func (sel Selection) counts(f finding.Finding) bool {
	return sel.Audited || f.Level.AtLeast(finding.Warn)
}

// Offers reports whether a finding has suggestions that the selection leaves out.
func (sel Selection) Offers(f finding.Finding) bool {
	return !sel.Suggestions && sel.suggests(f) && sel.counts(f)
}

// repairs returns the repairs of a finding. If it has none and suggestions are selected, it
// returns these.
func (sel Selection) repairs(f finding.Finding) []finding.Repair {
	if len(f.Repairs) == 0 && sel.Suggestions {
		return f.Suggestions
	}
	return f.Repairs
}
