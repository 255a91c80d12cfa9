package e2e_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var root = filepath.Join("..", "..")

// TestReadmeShowsTheAudit holds the table in the README against a run of its command.
func TestReadmeShowsTheAudit(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), "go", "run", "./cmd/forestall", "audit", "-f", "examples/")
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
