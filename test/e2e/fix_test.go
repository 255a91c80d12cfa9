package e2e_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// repairedManifestsAreLetThrough repairs an example that is denied, with the command
// that people use, and applies what it prints.
func repairedManifestsAreLetThrough(a *api) {
	a.apply("no-memory-limit.yaml", 1)
	repaired := repaired(a.t, "examples/no-memory-limit.yaml")
	cmd := a.cluster.KubectlCommand(a.t.Context(), "apply", "-n", a.namespace("repaired", nil), "-f", "-")
	cmd.Stdin = bytes.NewReader(repaired)
	if out, err := cmd.CombinedOutput(); err != nil {
		a.t.Errorf("kubectl apply: %v\n%s\nof what fix has printed:\n%s", err, out, repaired)
	}
}

func repaired(t *testing.T, file string) []byte {
	t.Helper()
	config := filepath.Join(t.TempDir(), "forestall.yaml")
	const text = "apiVersion: forestall.dev/v1alpha1\nkind: Configuration\n" +
		"rules: {memory-limit-missing: {params: {defaultLimit: 64Mi}}}\n"
	if err := os.WriteFile(config, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "go", "run", "./cmd/forestall", "fix", "-f", file, "--config", config)
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return out
}
