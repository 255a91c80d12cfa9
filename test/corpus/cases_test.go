package corpus

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/builtin"
	"github.com/forestall/forestall/internal/finding"
)

// The least that is held of each rule: workloads that fail in two ways, and one of
// them mended.
const (
	failingOfEachRule = 2
	workingOfEachRule = 1
)

// TestCases holds the verdicts on the cases of this project, each a whole workload
// as people write them with all that is beside it, in testdata/cases: what is denied or
// warned about is just what fails, and nothing else is complained about.
func TestCases(t *testing.T) {
	rules := embedded(t)
	for _, c := range readAll(t, filepath.Join("testdata", "cases")) {
		t.Run(c.ID, func(t *testing.T) {
			var got []expected
			for _, f := range findings(t, rules, c.manifest, true) {
				if complains(f) || f.Rule == c.Rule {
					got = append(got, f)
				}
			}
			if diff := gocmp.Diff(c.Findings, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if c.ID != filepath.Base(filepath.Dir(c.manifest)) || (c.Outcome == "fails") != (len(c.Findings) > 0) {
				t.Errorf("%s: outcome %q, with %d findings", c.manifest, c.Outcome, len(c.Findings))
			}
		})
	}
}

// TestCasesOfEachRule holds that no rule goes without cases once it is on the page of
// proofs: one that make new-rule has just written has none yet.
func TestCasesOfEachRule(t *testing.T) {
	engine, err := builtin.Engine(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	proofs, err := os.ReadFile(filepath.Join("..", "..", "docs", "proofs.md"))
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]map[string]int{}
	for _, r := range engine.Rules() {
		if bytes.Contains(proofs, []byte("(rules/"+r.ID+".md)")) {
			count[r.ID] = map[string]int{}
		}
	}
	if len(count) == 0 {
		t.Fatal("docs/proofs.md names no rule")
	}
	for _, c := range readAll(t, filepath.Join("testdata", "cases")) {
		if count[c.Rule] == nil {
			t.Errorf("%s is about rule %q, which is not proved", c.ID, c.Rule)
			continue
		}
		count[c.Rule][c.Outcome]++
	}
	for rule, of := range count {
		if of["fails"] < failingOfEachRule || of["works"] < workingOfEachRule {
			t.Errorf("rule %s has %d cases that fail and %d that work; it needs %d and %d",
				rule, of["fails"], of["works"], failingOfEachRule, workingOfEachRule)
		}
	}
}

// expected is a complaint and what it is about.
type expected struct {
	Rule      string        `json:"rule"`
	Level     finding.Level `json:"level"`
	Object    string        `json:"object"` // its kind and name
	Container string        `json:"container"`
	Path      string        `json:"path"`
}

func (f expected) compare(other expected) int {
	return cmp.Or(cmp.Compare(f.Rule, other.Rule), cmp.Compare(f.Object, other.Object),
		cmp.Compare(f.Container, other.Container), cmp.Compare(f.Path, other.Path))
}

// findings are what is found in a file, at the levels that they have without a
// configuration, in order.
func findings(t *testing.T, rules *builtin.Rules, file string, complete bool) []expected {
	t.Helper()
	var found []expected
	for _, f := range judged(t, rules, file, complete).Findings {
		found = append(found, expected{
			Rule: f.Rule, Level: f.Level, Object: fmt.Sprintf("%s/%s", f.Object.Kind, f.Object.Name),
			Container: f.Container, Path: f.Path,
		})
	}
	slices.SortFunc(found, expected.compare)
	return found
}

func complains(f expected) bool { return f.Level == finding.Deny || f.Level == finding.Warn }
