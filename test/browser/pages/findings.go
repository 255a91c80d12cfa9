package main

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/builtin"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/policy"
	"github.com/forestall/forestall/internal/review"
	"github.com/forestall/forestall/policies"
)

// findings are those of the examples and of the manifests that fail in the tests of the rules. Each file is a set of its
// own: it knows nothing of the others.
func findings(ctx context.Context) ([]finding.Finding, []policy.Rule, error) {
	rules, err := builtin.RulesOf(ctx, policies.FS)
	if err != nil {
		return nil, nil, err
	}
	var all []finding.Finding
	var known []policy.Rule
	for _, pattern := range []string{"examples/*.yaml", "policies/forestall/rules/*/testdata/fail-*.yaml"} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			return nil, nil, err
		}
		for _, name := range names {
			if strings.HasSuffix(name, ".patched.yaml") || strings.HasSuffix(name, ".suggested.yaml") {
				continue
			}
			r, catalogue, err := reviewed(ctx, rules, name)
			if err != nil {
				return nil, nil, err
			}
			all, known = append(all, r...), catalogue
		}
	}
	if len(all) == 0 {
		return nil, nil, errors.New("nothing was found: this runs from the root of the repository")
	}
	return all, known, nil
}

func reviewed(ctx context.Context, rules *builtin.Rules, name string) ([]finding.Finding, []policy.Rule, error) {
	set, err := audit.Load(ctx, audit.Options{Paths: []string{name}, Complete: true})
	if err != nil {
		return nil, nil, err
	}
	r, err := rules.Reviewer(review.Settings{}, set.Cluster())
	if err != nil {
		return nil, nil, errors.Join(err, set.Close())
	}
	all, err := set.Review(ctx, r)
	return all.Findings, r.Rules(), errors.Join(err, set.Close())
}
