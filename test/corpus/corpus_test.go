// Package corpus holds the verdicts on failures as people have them: one folder a
// case, each audited by itself as a person would.
package corpus

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/builtin"
	"github.com/forestall/forestall/internal/config"
	"github.com/forestall/forestall/policies"
)

var update = flag.Bool("update", false, "write the golden files")

// collected is a folder with more cases, beside this repository; FORESTALL_CORPUS
// names another one.
var collected = filepath.Join("..", "..", "..", "shared", "failures")

// countedApart is the rule that many of the collected cases break besides: they say
// nothing about memory because it has nothing to do with their failure.
const countedApart = "memory-limit-missing"

// failure is what is known of a case.
type failure struct {
	ID      string `json:"id"`
	Outcome string `json:"outcome"` // fails or works

	// Of the cases of this project: the rule that the case is about, and what has to be
	// found in it.
	Rule     string     `json:"rule"`
	Findings []expected `json:"findings"`

	manifest string
}

// TestCollected holds what is found in each of the cases that were collected in the
// wild, where they are, and that what works is not complained about.
func TestCollected(t *testing.T) {
	dir := cmp.Or(os.Getenv("FORESTALL_CORPUS"), collected)
	if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) && os.Getenv("FORESTALL_CORPUS") == "" {
		t.Skip("no collected cases beside this repository")
	}
	rules := embedded(t)
	var verdicts strings.Builder
	for _, c := range readAll(t, dir) {
		var all []string
		for _, f := range findings(t, rules, c.manifest, false) {
			if f.Rule == countedApart {
				continue
			}
			all = append(all, f.Rule+"="+string(f.Level))
			if c.Outcome == "works" && complains(f) {
				t.Errorf("%s works, and is complained about: %+v", c.ID, f)
			}
		}
		slices.Sort(all)
		fmt.Fprintf(&verdicts, "%s %s: %s\n", c.ID, c.Outcome, strings.Join(slices.Compact(all), " "))
	}
	golden(t, filepath.Join("testdata", "verdicts.golden"), verdicts.String())
}

// readAll reads the cases of a folder; each is a folder with manifest.yaml and
// case.yaml.
func readAll(t *testing.T, dir string) []failure {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*", "case.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d cases in %s, %v", len(files), dir, err)
	}
	var all []failure
	for _, file := range files {
		c, err := read(file)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
	}
	return all
}

func read(file string) (failure, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return failure{}, fmt.Errorf("reading a case: %w", err)
	}
	c := failure{manifest: filepath.Join(filepath.Dir(file), "manifest.yaml")}
	if err := yaml.Unmarshal(text, &c); err != nil {
		return failure{}, fmt.Errorf("reading %s: %w", file, err)
	}
	return c, nil
}

// embedded are the rules of this repository, compiled once for all cases of a test.
func embedded(t *testing.T) *builtin.Rules {
	t.Helper()
	rules, err := builtin.RulesOf(t.Context(), policies.FS)
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

// judged is the audit of one file, which is complete or not. What cannot be read or
// judged ends the test.
func judged(t *testing.T, rules *builtin.Rules, file string, complete bool) audit.Result {
	t.Helper()
	set, err := audit.Load(t.Context(), audit.Options{Paths: []string{file}, Complete: complete})
	if err != nil {
		t.Fatal(err)
	}
	reviewer, err := rules.Reviewer(config.Configuration{}.Settings(), set.Cluster())
	if err != nil {
		t.Fatal(err)
	}
	result, err := set.Review(t.Context(), reviewer)
	if err := errors.Join(append([]error{err}, problems(result)...)...); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return result
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
	if diff := gocmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
