package prove

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/builtin"
	"github.com/forestall/forestall/internal/config"
	"github.com/forestall/forestall/internal/review"
	"github.com/forestall/forestall/policies"
)

// audited wants an audit to find what fails where the webhook is never asked: each
// manifest by itself, as all that its namespace holds.
func (p *prover) audited(ctx context.Context) error {
	embedded, err := builtin.RulesOf(ctx, policies.FS)
	if err != nil {
		return fmt.Errorf("reading the rules: %w", err)
	}
	for _, r := range p.cases {
		if !r.rule.admitted {
			r.fail(r.audit(ctx, embedded))
		}
	}
	return context.Cause(ctx)
}

// audit wants the rule to speak about a manifest that fails, and about no other.
func (r *running) audit(ctx context.Context, rules *builtin.Rules) error {
	set, err := audit.Load(ctx, audit.Options{
		Paths: []string{filepath.Join(r.rule.folder, r.report.Case.Manifest)}, Complete: true,
	})
	if err != nil {
		return fmt.Errorf("auditing %s: %w", r.report.Case.Manifest, err)
	}
	reviewer, err := rules.Reviewer(config.Configuration{}.Settings(), set.Cluster())
	if err != nil {
		return errors.Join(err, set.Close())
	}
	return errors.Join(r.found(ctx, set, reviewer), set.Close())
}

func (r *running) found(ctx context.Context, set *audit.Set, reviewer *review.Reviewer) error {
	result, err := set.Review(ctx, reviewer)
	if err != nil {
		return fmt.Errorf("auditing %s: %w", r.report.Case.Manifest, err)
	}
	for _, e := range result.Errors {
		return fmt.Errorf("auditing %s: %w", r.report.Case.Manifest, e)
	}
	for _, f := range result.Findings {
		if f.Rule == r.rule.id {
			r.report.Audited = fmt.Sprintf("%s %s: %s", f.Object.Kind, f.Object.Name, f.Reason)
		}
	}
	if found := r.report.Audited != ""; found != r.fails {
		return fmt.Errorf("an audit of %s finds %q", r.report.Case.Manifest, r.report.Audited)
	}
	return nil
}
