package e2e_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// unserved is the rule about kinds that no API server serves.
const unserved = "kind-not-served"

// unservedIsRefused holds that kubectl says of the rule's failing manifests what the rule says that it says, and that the
// suggestions make manifests that are taken.
func unservedIsRefused(a *api) {
	named := regexp.MustCompile(`no (matches for )?kind "\w+" (in|is registered for) version "[\w/.]+"`)
	fails, err := filepath.Glob(filepath.Join("..", "..", "policies", "forestall", "rules", unserved, "testdata", "fail-*.golden"))
	if err != nil || len(fails) == 0 {
		a.t.Fatal(fails, err)
	}
	for _, golden := range fails {
		manifest := strings.TrimSuffix(golden, ".golden")
		told, err := os.ReadFile(golden)
		if err != nil {
			a.t.Fatal(err)
		}
		want := named.FindString(string(told))
		stdout, stderr, exit := a.cluster.Kubectl(a.t.Context(), "apply", "-f", manifest+".yaml")
		if exit != 1 || want == "" || !strings.Contains(stderr, want) {
			a.t.Errorf("%s: kubectl ends with %d and says %q, want %q", manifest, exit, stdout+stderr, want)
		}
		stdout, stderr, exit = a.cluster.Kubectl(a.t.Context(), "apply", "--dry-run=server", "-f", manifest+".suggested.yaml")
		if exit != 0 {
			a.t.Errorf("%s, as suggested: kubectl ends with %d: %s%s", manifest, exit, stdout, stderr)
		}
	}
}
