package ruletest_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/forestall/forestall/internal/builtin"
	"github.com/forestall/forestall/internal/ruletest"
	"github.com/forestall/forestall/internal/scaffold"
)

var update = flag.Bool("update", false, "rewrite golden and patched files")

var policies = filepath.Join("..", "..", "policies")

// TestBuiltInRules holds every rule to its promises.
func TestBuiltInRules(t *testing.T) {
	engine, err := builtin.Engine(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	rules, err := builtin.RulesOf(t.Context(), os.DirFS(policies))
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string]bool{}
	for _, r := range engine.Rules() {
		ids[r.ID] = true
		t.Run(r.ID, func(t *testing.T) {
			if !strings.HasSuffix(r.Remediation, ".") || !strings.HasSuffix(strings.TrimSpace(r.Description), ".") {
				t.Error("remediation and description are sentences: they end in a period")
			}
			err := ruletest.Check(t.Context(), ruletest.Options{Policies: policies, Rule: r.ID, Rules: rules, Update: *update})
			if err != nil {
				t.Error(err)
			}
		})
	}
	folders, err := os.ReadDir(filepath.Join(policies, "forestall", "rules"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range folders {
		if f.IsDir() && !ids[f.Name()] {
			t.Errorf("folder %s is no rule of the catalogue", f.Name())
		}
	}
}

// TestScaffold holds a new rule, as it is written, to the same promises.
func TestScaffold(t *testing.T) {
	dir := copyOf(t)
	files, err := scaffold.New(filepath.Join(dir, "forestall", "rules"), "image-broken")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 7 {
		t.Errorf("%d files: %q", len(files), files)
	}
	if err := ruletest.Check(t.Context(), ruletest.Options{Policies: dir, Rule: "image-broken"}); err != nil {
		t.Error(err)
	}
	if _, err := scaffold.New(filepath.Join(dir, "forestall", "rules"), "image-broken"); err == nil {
		t.Error("an existing rule was overwritten")
	}
}

// TestCheckFindsWhatIsWrong breaks a sound folder in each way that Check speaks about.
func TestCheckFindsWhatIsWrong(t *testing.T) {
	const fail, pass = "testdata/fail-example.yaml", "testdata/pass-example.yaml"
	for _, tt := range []struct {
		name, want string
		breakIt    func(t *testing.T, folder string)
	}{
		{"a page is missing", "rule.md is missing", remove("rule.md")},
		{"no passing manifest", "testdata/pass-*.yaml is missing", remove(pass)},
		{"no proof", "testdata/proof.yaml is missing", remove("testdata/proof.yaml")},
		{"a golden file is missing", "testdata/fail-example.golden is missing; it would be", remove("testdata/fail-example.golden")},
		{"a stray file", "notes.txt has no place in a rule's folder", put("notes.txt", "x")},
		{"a text changed", "testdata/fail-example.golden differs", replace("rule.rego", "known to be broken", "known as broken")},
		{"a failing manifest passes", "testdata/fail-example.yaml: the rule finds nothing", replace(fail, ":broken", ":works")},
		{"a passing manifest fails", "testdata/pass-example.yaml: line 8: rule image-broken speaks", replace(pass, ":1.0.0", ":broken")},
		{"a second problem", "rule memory-limit-missing speaks too", replace(fail, "memory: 256Mi", "cpu: 1")},
		{"a patched file without a patch", "fail-example.patched.yaml is there, but nothing is to be changed", put("testdata/fail-example.patched.yaml", "x")},
		{"a broken manifest", "fail-example.yaml:1", put(fail, "a: b: c\n")},
		{"a manifest without pods", "pass-example.yaml: nothing in it is judged", put(pass, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n")},
		{"a rule that does not compile", "undefined ref: input.contianers", replace("rule.rego", "input.containers", "input.contianers")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := copyOf(t)
			if _, err := scaffold.New(filepath.Join(dir, "forestall", "rules"), "image-broken"); err != nil {
				t.Fatal(err)
			}
			tt.breakIt(t, filepath.Join(dir, "forestall", "rules", "image-broken"))
			err := ruletest.Check(t.Context(), ruletest.Options{Policies: dir, Rule: "image-broken"})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want an error with %q", err, tt.want)
			}
		})
	}
}

func TestScaffoldRefusesIDs(t *testing.T) {
	for _, id := range []string{"", "Upper-case", "one", "under_score", "../escape", "-a-b", "a-", "a--b"} {
		if _, err := scaffold.New(t.TempDir(), id); err == nil {
			t.Errorf("id %q was accepted", id)
		}
	}
}

func copyOf(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(policies)); err != nil {
		t.Fatal(err)
	}
	return dir
}

func remove(name string) func(*testing.T, string) {
	return func(t *testing.T, folder string) {
		t.Helper()
		if err := os.Remove(filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
	}
}

func put(name, content string) func(*testing.T, string) {
	return func(t *testing.T, folder string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func replace(name, from, to string) func(*testing.T, string) {
	return func(t *testing.T, folder string) {
		t.Helper()
		raw, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(raw), from) {
			t.Fatalf("%s does not contain %q", name, from)
		}
		put(name, strings.ReplaceAll(string(raw), from, to))(t, folder)
	}
}
