// Package layout_test holds the direction of imports: each package may import
// what the table gives it, and no more.
package layout_test

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/forestall/forestall/"

// arrows says which packages of ours each package imports, and so which way
// imports run: leaves first. Test files are free.
func arrows() map[string][]string {
	return map[string][]string{
		"policies": {},

		"internal/budget":              {},
		"internal/facts/fact":          {},
		"internal/facts/command":       {"internal/facts/fact", "internal/imageref", "internal/budget"},
		"internal/facts/cpu":           {"internal/facts/fact", "internal/quantity"},
		"internal/facts/field":         {"internal/apijson", "internal/similar"},
		"internal/facts/image":         {"internal/facts/fact", "internal/imageref"},
		"internal/facts/memory":        {"internal/facts/fact", "internal/facts/command", "internal/quantity", "internal/budget"},
		"internal/facts/port":          {"internal/facts/fact", "internal/budget"},
		"internal/facts/probe":         {"internal/facts/fact", "internal/facts/port", "internal/budget"},
		"internal/quantity":            {},
		"internal/similar":             {},
		"internal/terminal":            {},
		"internal/apijson":             {"internal/quantity"},
		"internal/imageref":            {},
		"internal/workload":            {"internal/apijson", "internal/imageref", "internal/quantity"},
		"internal/cluster":             {"internal/apijson", "internal/budget", "internal/facts/fact", "internal/quantity", "internal/workload"},
		"internal/cluster/live":        {"internal/cluster"},
		"internal/cluster/clustertest": {"internal/cluster"},
		"internal/facts": {
			"internal/facts/fact", "internal/facts/command", "internal/facts/cpu", "internal/facts/image", "internal/facts/memory",
			"internal/facts/port", "internal/facts/probe", "internal/facts/field",
			"internal/apijson", "internal/workload", "internal/cluster", "internal/budget",
		},
		"internal/finding":  {},
		"internal/evidence": {"internal/finding"},
		"internal/policy":   {"internal/budget", "internal/finding", "internal/facts", "internal/facts/fact", "internal/cluster", "internal/quantity", "internal/similar"},
		"internal/patch":    {"internal/finding"},
		"internal/fix":      {"internal/finding", "internal/patch"},
		"internal/review":   {"internal/budget", "internal/finding", "internal/policy", "internal/facts", "internal/facts/fact", "internal/workload", "internal/cluster", "internal/patch", "internal/similar"},
		"internal/explain":  {"internal/finding", "internal/review", "internal/policy"},
		"internal/events":   {"internal/finding", "internal/explain", "internal/review"},
		"internal/config":   {"internal/finding", "internal/review", "internal/similar", "internal/workload"},
		"internal/follow":   {},
		"internal/reload":   {"internal/config", "internal/follow", "internal/review"},
		"internal/builtin": {
			"policies", "internal/policy", "internal/review", "internal/cluster",
			"internal/facts", "internal/facts/command", "internal/facts/memory",
		},
		"internal/manifest":         {"internal/finding", "internal/workload", "internal/patch"},
		"internal/audit":            {"internal/evidence", "internal/facts", "internal/finding", "internal/manifest", "internal/review", "internal/cluster", "internal/workload", "internal/fix", "internal/render", "internal/apijson", "internal/quantity"},
		"internal/render":           {"internal/finding"},
		"internal/render/helm":      {"internal/finding", "internal/render"},
		"internal/render/kustomize": {"internal/finding", "internal/patch", "internal/render"},
		"internal/report":           {"internal/evidence", "internal/finding", "internal/audit", "internal/policy", "internal/review", "internal/terminal", "internal/report/html"},
		"internal/report/html":      {"internal/finding", "internal/audit", "internal/policy", "internal/terminal"},
		"internal/redact":           {"internal/finding", "internal/audit", "internal/builtin", "internal/review"},
		"internal/diagnosis":        {"internal/audit", "internal/finding", "internal/review", "internal/terminal", "internal/workload"},
		"internal/scaffold":         {},
		"internal/kubeapi":          {"internal/apijson", "internal/similar"},
		"internal/audit/live":       {"internal/apijson", "internal/audit", "internal/finding", "internal/kubeapi", "internal/similar", "internal/workload"},
		"internal/ruletest": {
			"internal/finding", "internal/audit", "internal/builtin", "internal/config", "internal/explain",
			"internal/patch", "internal/review",
		},
		"internal/certs":          {"internal/follow"},
		"internal/certs/certtest": {},
		"webhook": {
			"internal/finding", "internal/review", "internal/explain", "internal/policy", "internal/workload", "internal/cluster",
			"internal/apijson", "internal/config",
		},
	}
}

// pure packages know neither HTTP nor a cluster nor OPA.
func pure() []string {
	return []string{
		"internal/evidence", "internal/finding", "internal/review", "internal/facts", "internal/workload", "internal/explain", "internal/patch", "internal/fix", "internal/manifest",
		"internal/cluster", "internal/apijson", "internal/imageref", "internal/quantity", "internal/facts/fact", "internal/facts/command", "internal/facts/cpu", "internal/facts/image", "internal/facts/memory",
		"internal/facts/port", "internal/facts/probe", "internal/facts/field", "internal/budget",
	}
}

func impure() []string {
	return []string{"net/http", "sigs.k8s.io/controller-runtime", "k8s.io/client-go", "github.com/open-policy-agent/opa"}
}

type pkg struct {
	ImportPath string
	Imports    []string
}

// wrong returns every import that the rules do not allow.
func wrong(packages []pkg) []string {
	table := arrows()
	var found []string
	for _, p := range packages {
		name, ours := strings.CutPrefix(p.ImportPath, module)
		if !ours || strings.HasPrefix(name, "cmd/") || strings.HasPrefix(name, "test/") {
			continue // mains and tests put everything together
		}
		allowed, known := table[name]
		if !known {
			found = append(found, fmt.Sprintf("package %s has no place in the table of imports", name))
		}
		for _, to := range p.Imports {
			if reason := refused(name, to, allowed); reason != "" {
				found = append(found, fmt.Sprintf("%s -> %s: %s", name, strings.TrimPrefix(to, module), reason))
			}
		}
	}
	slices.Sort(found)
	return found
}

func refused(from, to string, allowed []string) string {
	if own, ok := strings.CutPrefix(to, module); ok {
		if !slices.Contains(allowed, own) {
			return "this arrow is not in the table"
		}
		return ""
	}
	for _, prefix := range impure() {
		if to != prefix && !strings.HasPrefix(to, prefix+"/") {
			continue
		}
		if slices.Contains(pure(), from) {
			return "the package is pure"
		}
		if strings.Contains(prefix, "/opa") && from != "internal/policy" {
			return "only internal/policy knows OPA"
		}
	}
	return ""
}

func TestImportsRunOneWay(t *testing.T) {
	for _, w := range wrong(parsed(t)) {
		t.Error(w)
	}
}

// TestEveryArrowIsUsed keeps arrows out of the table that no file draws any more.
func TestEveryArrowIsUsed(t *testing.T) {
	table := arrows()
	for _, p := range parsed(t) {
		name := strings.TrimPrefix(p.ImportPath, module)
		for _, to := range table[name] {
			if !slices.Contains(p.Imports, module+to) {
				t.Errorf("%s does not import %s", name, to)
			}
		}
	}
}

// TestWrongArrowsAreFound draws arrows the wrong way.
func TestWrongArrowsAreFound(t *testing.T) {
	got := wrong([]pkg{
		{module + "internal/workload", []string{"fmt", module + "internal/review"}},
		{module + "internal/review", []string{"net/http", module + "internal/facts"}},
		{module + "internal/explain", []string{"k8s.io/client-go/rest"}},
		{module + "internal/audit", []string{"github.com/open-policy-agent/opa/v1/ast"}},
		{module + "internal/helpers", nil},
		{module + "cmd/forestall", []string{module + "internal/review"}},
	})
	want := []string{
		"internal/audit -> github.com/open-policy-agent/opa/v1/ast: only internal/policy knows OPA",
		"internal/explain -> k8s.io/client-go/rest: the package is pure",
		"internal/review -> net/http: the package is pure",
		"internal/workload -> internal/review: this arrow is not in the table",
		"package internal/helpers has no place in the table of imports",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// TestTableIsWithoutCycles keeps the table itself honest.
func TestTableIsWithoutCycles(t *testing.T) {
	table := arrows()
	var visit func(name string, path []string)
	visit = func(name string, path []string) {
		if slices.Contains(path, name) {
			t.Fatalf("imports go in a circle: %s", strings.Join(append(path, name), " -> "))
		}
		for _, to := range table[name] {
			if _, ok := table[to]; !ok {
				t.Errorf("%s imports %s, which is not in the table", name, to)
			}
			visit(to, append(slices.Clone(path), name))
		}
	}
	for name := range table {
		visit(name, nil)
	}
}

// parsed reads the imports of all packages from their files, test files apart. It
// does not ask go list: the test cache knows the files that a test reads, and not
// what a program reads that it runs.
func parsed(t *testing.T) []pkg {
	t.Helper()
	root := filepath.Join("..", "..")
	packages := map[string]*pkg{}
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == "bin" || d.Name() == ".git"):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go"):
			return nil
		}
		dir, err := filepath.Rel(root, filepath.Dir(file))
		if err != nil {
			return err
		}
		path := module + filepath.ToSlash(dir)
		if packages[path] == nil {
			packages[path] = &pkg{ImportPath: path}
		}
		return packages[path].read(file)
	})
	if err != nil {
		t.Fatal(err)
	}
	var all []pkg
	for _, p := range packages {
		all = append(all, *p)
	}
	if len(all) < len(arrows()) {
		t.Fatalf("only %d packages were found", len(all))
	}
	return all
}

func (p *pkg) read(file string) error {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	if err != nil {
		return err
	}
	for _, spec := range parsed.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return err
		}
		p.Imports = append(p.Imports, path)
	}
	return nil
}
