package e2e_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/forestall/forestall/internal/builtin"
	"github.com/forestall/forestall/internal/finding"
)

var root = filepath.Join("..", "..")

// TestReadmeShowsTheAudit holds the table in the README against a run of its command.
func TestReadmeShowsTheAudit(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), "go", "run", "./cmd/forestall", "audit",
		"examples/keep-alive.yaml", "examples/one-shot-command.yaml", "examples/stress-sidecar-memory.yaml")
	cmd.Dir = root
	out, err := cmd.Output()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 1 {
		t.Fatalf("the audit ends with %v, want exit code 1 for its findings", err)
	}
	wantInReadme(t, string(out))
}

// wantInReadme holds a transcript in the README against what was really printed.
func wantInReadme(t *testing.T, printed string) {
	t.Helper()
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(readme), printed) {
		t.Errorf("README.md does not show what is printed now:\n%s", printed)
	}
}

// TestReadmeNamesEveryRule holds the table of the README against the catalogue: each
// rule stands in the column of its level.
func TestReadmeNamesEveryRule(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	engine, err := builtin.Engine(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	column := map[finding.Level]int{finding.Deny: 2, finding.Warn: 3, finding.Audit: 4}
	stands := map[string]int{}
	for line := range strings.Lines(string(readme)) {
		for i, cell := range strings.Split(line, "|") {
			for _, link := range regexp.MustCompile(`\(docs/rules/([-a-z]+)\.md\)`).FindAllStringSubmatch(cell, -1) {
				stands[link[1]] = i
			}
		}
	}
	for _, rule := range engine.Rules() {
		if got, want := stands[rule.ID], column[rule.Level]; got != want {
			t.Errorf("%s, which is at level %s, stands in column %d of the table, want %d", rule.ID, rule.Level, got, want)
		}
		delete(stands, rule.ID)
	}
	for id := range stands {
		t.Errorf("there is no rule %s", id)
	}
}
