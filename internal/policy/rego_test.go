package policy_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/storage/inmem"
	"github.com/open-policy-agent/opa/v1/tester"
)

// TestRego runs the tests beside the rules, so that go test is complete without
// the opa command. A failing built-in function fails the test.
func TestRego(t *testing.T) {
	modules := map[string]*ast.Module{}
	root := filepath.Join("..", "..", "policies")
	err := fs.WalkDir(os.DirFS(root), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".rego") {
			return err
		}
		src, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(path)))
		if err != nil {
			return err
		}
		modules[path], err = ast.ParseModuleWithOpts(path, string(src), ast.ParserOptions{ProcessAnnotation: true})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	results, err := tester.NewRunner().
		SetStore(inmem.New()).
		SetModules(modules).
		RaiseBuiltinErrors(true).
		RunTests(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for r := range results {
		ran++
		if !r.Pass() {
			t.Errorf("%s: %s.%s failed: %v", r.Location, r.Package, r.Name, r.Error)
		}
	}
	if ran == 0 {
		t.Error("no Rego test ran")
	}
}
