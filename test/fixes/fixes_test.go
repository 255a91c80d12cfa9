// Package fixes_test holds that a fix never makes anything worse: it makes every repair and every suggestion of every
// manifest that the tests have, gives the results to a real API server, and reviews them again.
package fixes_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/builtin"
	"github.com/forestall/forestall/internal/config"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/review"
	"github.com/forestall/forestall/policies"
)

// collection is a set of manifests, each audited by itself.
type collection struct {
	name    string
	pattern string
	// complete says that each of them holds all that runs in its namespaces.
	complete bool
	// beside says that it is not part of this repository.
	beside bool
	// without are the ends of names: of what a fix has made, and of configurations.
	without []string
	// golden says that what fixes make of them is held in files beside them.
	golden bool
}

// fixedEnd is how the files end that hold what fixes make of the others.
const fixedEnd = ".fixed.yaml"

var update = flag.Bool("update", false, "write the golden files")

func collections() []collection {
	root := filepath.Join("..", "..")
	shared := filepath.Join(root, "..", "shared")
	return []collection{
		{name: "attempts", pattern: filepath.Join("testdata", "*.yaml"), complete: true, without: []string{fixedEnd}, golden: true},
		{
			name: "rules", pattern: filepath.Join(root, "policies", "forestall", "rules", "*", "testdata", "*.yaml"), complete: true,
			without: []string{".patched.yaml", ".suggested.yaml", "proof.yaml", "config.yaml"},
		},
		{name: "cases", pattern: filepath.Join(root, "test", "corpus", "testdata", "cases", "*", "manifest.yaml"), complete: true},
		{name: "examples", pattern: filepath.Join(root, "examples", "*.yaml")},
		{name: "failures", pattern: filepath.Join(shared, "failures", "*", "manifest.yaml"), beside: true},
		{name: "verdicts", pattern: filepath.Join(shared, "verdicts", "*", "*.yaml"), beside: true},
		{name: "manifests", pattern: filepath.Join(shared, "manifests", "*.yaml"), beside: true},
	}
}

// TestFixes makes the fixes of all manifests.
func TestFixes(t *testing.T) {
	rules, err := builtin.RulesOf(t.Context(), policies.FS)
	if err != nil {
		t.Fatal(err)
	}
	server, err := startServer(t)
	if err != nil {
		t.Run("an API server is asked", func(t *testing.T) { t.Skipf("the results are only reviewed: %v", err) })
	}
	for _, c := range collections() {
		t.Run(c.name, func(t *testing.T) {
			files := c.files(t)
			made := 0
			for _, file := range files {
				f := &fixture{rules: rules, file: file, complete: c.complete, golden: c.golden, server: server}
				for _, problem := range f.check(t) {
					t.Errorf("%s: %s", file, problem)
				}
				made += f.made
			}
			t.Logf("%d fixes in %d manifests", made, len(files))
		})
	}
}

func (c collection) files(t *testing.T) []string {
	all, err := filepath.Glob(c.pattern)
	if err != nil {
		t.Fatal(err)
	}
	all = slices.DeleteFunc(all, func(file string) bool {
		return slices.ContainsFunc(c.without, func(end string) bool { return strings.HasSuffix(file, end) })
	})
	if len(all) == 0 && c.beside {
		t.Skipf("no %s beside this repository", c.name)
	}
	if len(all) == 0 {
		t.Fatalf("no manifests at %s", c.pattern)
	}
	return all
}

// fixture is one manifest on its way through the test.
type fixture struct {
	rules    *builtin.Rules
	file     string
	complete bool
	golden   bool
	server   *server
	made     int
}

// check fixes the manifest and returns what is worse afterwards.
func (f *fixture) check(t *testing.T) (problems []string) {
	text, err := os.ReadFile(f.file)
	if err != nil {
		t.Fatal(err)
	}
	fixed, err := f.fix(t, text)
	if err != nil {
		return []string{err.Error()}
	}
	f.made = len(fixed.Made)
	after := fixed.Files[0].After
	if f.golden {
		problems = append(problems, f.differs(t, after)...)
	}
	if bytes.Equal(text, after) {
		return problems
	}
	again, err := f.fix(t, after)
	if err != nil {
		return []string{err.Error()}
	}
	// What was withheld beside other fixes may be possible after them.
	if diff := cmp.Diff(string(after), string(again.Files[0].After)); diff != "" && len(fixed.Withheld) == 0 {
		problems = append(problems, "fixing it again changes it again (-once +twice):\n"+diff)
	}
	problems = append(problems, worse(f.findings(t, text), f.findings(t, after), fixed.Made)...)
	if f.server != nil {
		problems = append(problems, f.server.refusals(t, text, after)...)
	}
	if len(problems) > 0 && !f.golden {
		problems = append(problems, "it became (-before +after):\n"+cmp.Diff(string(text), string(after)))
	}
	return problems
}

// differs compares what the fixes make of the manifest with the file that holds it.
func (f *fixture) differs(t *testing.T, after []byte) []string {
	name := strings.TrimSuffix(f.file, ".yaml") + fixedEnd
	if *update {
		if err := os.WriteFile(name, after, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(after)); diff != "" {
		return []string{"fixed otherwise (-want +got):\n" + diff}
	}
	return nil
}

// fix makes all repairs and suggestions, as forestall fix --apply-suggestions does with a default limit.
func (f *fixture) fix(t *testing.T, text []byte) (audit.Fixed, error) {
	set, reviewer := f.load(t, text)
	fixed, err := set.Fix(t.Context(), reviewer, review.Selection{Audited: true, Suggestions: true})
	if err == nil && len(fixed.Files) != 1 {
		err = fmt.Errorf("%d files", len(fixed.Files))
	}
	return fixed, err
}

func (f *fixture) findings(t *testing.T, text []byte) []finding.Finding {
	set, reviewer := f.load(t, text)
	result, err := set.Review(t.Context(), reviewer)
	if err != nil {
		t.Fatal(err)
	}
	return result.Findings
}

func (f *fixture) load(t *testing.T, text []byte) (*audit.Set, *review.Reviewer) {
	set, err := audit.Load(t.Context(), audit.Options{
		Paths: []string{"-"}, Stdin: bytes.NewReader(text), Keep: true, Complete: f.complete,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := set.Close(); err != nil {
			t.Error(err)
		}
	})
	cfg, err := config.Parse("test", []byte(configuration))
	if err != nil {
		t.Fatal(err)
	}
	reviewer, err := f.rules.Reviewer(cfg.AuditSettings(), set.Cluster())
	if err != nil {
		t.Fatal(err)
	}
	return set, reviewer
}

// configuration has what repairs need.
const configuration = `
apiVersion: forestall.dev/v1alpha1
kind: Configuration
rules: {memory-limit-missing: {params: {defaultLimit: 256Mi}}}
`

// worse compares the findings of a manifest and of what a fix makes of it: those that were mended are gone, and no
// other is new, unless it is told at a lower level than one that was mended in the same container: a command that can
// be run may turn out to end.
func worse(before, after, mended []finding.Finding) (problems []string) {
	was := map[finding.Identity]bool{}
	for _, f := range before {
		was[f.Identity()] = true
	}
	gone := map[finding.Identity]bool{}
	strongest := map[place]finding.Level{}
	for _, f := range mended {
		gone[f.Identity()] = true
		at := place{f.Object, f.Container}
		if level, ok := strongest[at]; f.Rule != "memory-limit-missing" && (!ok || f.Level.AtLeast(level)) {
			strongest[at] = f.Level
		}
	}
	for _, f := range after {
		switch level, fixed := strongest[place{f.Object, f.Container}]; {
		case gone[f.Identity()]:
			problems = append(problems, fmt.Sprintf("still there: %s at %s", f.Rule, f.Path))
		case !was[f.Identity()] && (!fixed || f.Level.AtLeast(level)):
			problems = append(problems, fmt.Sprintf("new: %s=%s at %s: %s", f.Rule, f.Level, f.Path, f.Reason))
		}
	}
	return problems
}

// place is a container of an object.
type place struct {
	object    finding.Object
	container string
}
