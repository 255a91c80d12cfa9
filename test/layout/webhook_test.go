package layout_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestWebhookRendersNothing keeps Helm and kustomize out of the programs that run in the cluster: their size and what they take to
// start are those of every installation.
func TestWebhookRendersNothing(t *testing.T) {
	root := filepath.Join("..", "..")
	parsed(t) // and go.mod: the test cache does not know what go list reads
	if _, err := os.ReadFile(filepath.Join(root, "go.mod")); err != nil {
		t.Fatal(err)
	}
	list := exec.Command("go", "list", "-deps", "./cmd/forestall-webhook")
	list.Dir, list.Stderr = root, os.Stderr
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	linked := strings.Fields(string(out))
	if len(linked) < 100 {
		t.Fatalf("only %d packages are linked", len(linked))
	}
	for _, path := range linked {
		for _, prefix := range []string{"helm.sh/", "sigs.k8s.io/kustomize/", module + "internal/render"} {
			if strings.HasPrefix(path, prefix) && path != module+"internal/render" {
				t.Errorf("the webhook links %s", path)
			}
		}
	}
}
