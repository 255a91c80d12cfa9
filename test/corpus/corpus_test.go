// Package corpus holds the verdicts on real failures: one folder a case, each
// audited by itself as a person would.
package corpus

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/builtin"
	"github.com/forestall/forestall/internal/config"
	"github.com/forestall/forestall/internal/finding"
)

var update = flag.Bool("update", false, "write the golden files")

// countedApart is the rule that many of the cases break besides: they say nothing
// about memory because it has nothing to do with their failure.
const countedApart = "memory-limit-missing"

// failure is what is known of a case.
type failure struct {
	ID      string `json:"id"`
	Outcome string `json:"outcome"` // fails or works
}

// TestVerdicts holds what is found in each case, and that what works is not
// complained about. FORESTALL_CORPUS is the folder of the cases; each has
// manifest.yaml and case.yaml.
func TestVerdicts(t *testing.T) {
	dir := os.Getenv("FORESTALL_CORPUS")
	if dir == "" {
		t.Skip("FORESTALL_CORPUS is not set")
	}
	cases, err := filepath.Glob(filepath.Join(dir, "*", "case.yaml"))
	if err != nil || len(cases) == 0 {
		t.Fatalf("%d cases in %s, %v", len(cases), dir, err)
	}
	var verdicts strings.Builder
	for _, file := range cases {
		c, err := read(file)
		if err != nil {
			t.Fatal(err)
		}
		found := findings(t, filepath.Join(filepath.Dir(file), "manifest.yaml"))
		fmt.Fprintf(&verdicts, "%s %s: %s\n", c.ID, c.Outcome, strings.Join(found, " "))
		if c.Outcome == "works" && slices.ContainsFunc(found, complains) {
			t.Errorf("%s works, and is complained about: %v", c.ID, found)
		}
	}
	golden(t, filepath.Join("testdata", "verdicts.golden"), verdicts.String())
}

func complains(found string) bool { return !strings.HasSuffix(found, "="+string(finding.Audit)) }

func read(file string) (failure, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return failure{}, fmt.Errorf("reading a case: %w", err)
	}
	var c failure
	if err := yaml.Unmarshal(text, &c); err != nil {
		return failure{}, fmt.Errorf("reading %s: %w", file, err)
	}
	return c, nil
}

// findings are the rules that speak about a file, with their levels, sorted.
func findings(t *testing.T, file string) []string {
	t.Helper()
	set, err := audit.Load(t.Context(), audit.Options{Paths: []string{file}})
	if err != nil {
		t.Fatal(err)
	}
	reviewer, err := builtin.Reviewer(t.Context(), config.Configuration{}.Settings(), set.Cluster())
	if err != nil {
		t.Fatal(err)
	}
	result, err := set.Review(t.Context(), reviewer)
	if err := errors.Join(append([]error{err}, problems(result)...)...); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	var found []string
	for _, f := range result.Findings {
		if f.Rule != countedApart {
			found = append(found, f.Rule+"="+string(f.Level))
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

func problems(r audit.Result) []error {
	var all []error
	for _, e := range r.Errors {
		all = append(all, e)
	}
	return all
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
