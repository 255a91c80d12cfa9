package policy_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/forestall/forestall/internal/budget"
	"github.com/forestall/forestall/internal/builtin"
	"github.com/forestall/forestall/internal/cluster"
	"github.com/forestall/forestall/internal/policy"
	"github.com/forestall/forestall/internal/review"
)

// TestPartsAreEnough holds what every rule says of every rule's manifests, from the parts of the
// input that it is found to read, against what it says when it is given the whole.
func TestPartsAreEnough(t *testing.T) {
	engine, err := builtin.Engine(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	whole := engine.Whole()
	r, err := builtin.Reviewer(t.Context(), review.Settings{
		Params: map[string]map[string]any{"memory-limit-missing": {"defaultLimit": "256Mi"}},
	}, cluster.OfFiles(true))
	if err != nil {
		t.Fatal(err)
	}
	judged, found := 0, 0
	for _, object := range manifests(t) {
		in, err := r.Input(review.Subject{Operation: review.Create, Object: object, Namespace: "shop"})
		if err != nil {
			continue // not a workload
		}
		judged++
		for _, rule := range engine.Rules() { // each alone: others may read what it needs
			want, failed, err := whole.Evaluate(t.Context(), new(budget.Budget), in, []policy.Rule{rule})
			if err != nil || len(failed) > 0 {
				t.Fatal(err, failed)
			}
			got, failed, err := engine.Evaluate(t.Context(), new(budget.Budget), in, []policy.Rule{rule})
			if err != nil || len(failed) > 0 {
				t.Fatal(err, failed)
			}
			found += len(want)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s of %.200s (-whole +parts):\n%s", rule.ID, object, diff)
			}
		}
	}
	if judged < 100 || found < 100 {
		t.Errorf("%d objects were judged and %d findings found: too few to tell", judged, found)
	}
}

// manifests are the documents of all rules' manifests, as JSON.
func manifests(t *testing.T) [][]byte {
	t.Helper()
	paths, err := filepath.Glob("../../policies/forestall/rules/*/testdata/*.yaml")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no manifests: %v", err)
	}
	var all [][]byte
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for document := range strings.SplitSeq(string(text), "\n---\n") {
			if raw, err := yaml.YAMLToJSON([]byte(document)); err == nil {
				all = append(all, raw)
			}
		}
	}
	return all
}
