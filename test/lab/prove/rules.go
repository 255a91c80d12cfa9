package prove

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/forestall/forestall/internal/builtin"
	"github.com/forestall/forestall/internal/facts"
	"github.com/forestall/forestall/test/lab/proof"
)

// rule is a rule with its proof.
type rule struct {
	id, predicted string
	folder        string // of its test data
	proof         proof.Proof
	// admitted tells that the webhook is asked about what the rule judges: the API
	// server does not ask it about Services, nor about what it has dropped of a manifest.
	admitted bool
}

func admitted(j facts.Judgement) bool { return j.Of != facts.OfService && j.Of != facts.OfManifest }

// rules reads the proofs of all rules, or of one.
func rules(ctx context.Context, policies, only string) ([]rule, error) {
	engine, err := builtin.Engine(ctx)
	if err != nil {
		return nil, fmt.Errorf("reading the rules: %w", err)
	}
	var all []rule
	for _, r := range engine.Rules() {
		if only != "" && r.ID != only {
			continue
		}
		folder := filepath.Join(policies, "forestall", "rules", r.ID, "testdata")
		p, err := proof.Load(folder)
		if err != nil {
			return nil, fmt.Errorf("rule %s: %w", r.ID, err)
		}
		all = append(all, rule{
			id: r.ID, predicted: r.Failure, folder: folder, proof: p, admitted: slices.ContainsFunc(r.Judges, admitted),
		})
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("there is no rule %q", only)
	}
	return all, nil
}
