package corpus

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// TestCeilings holds what is said of manifests that were denied although they work: a heap, a cache or a volume
// that may grow beyond the limit, and variables that nobody reads. They lie beside this repository.
func TestCeilings(t *testing.T) {
	dir := filepath.Join("..", "..", "..", "shared", "verdicts")
	if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) {
		t.Skip("no judged manifests beside this repository")
	}
	const ceiling, volume = "memory-ceiling-exceeds-limit=warn", "memory-volume-exceeds-limit=audit"
	rules := embedded(t)
	for file, want := range map[string][]string{
		"wrong-deny/03-xmx-above-limit-never-reached.yaml":   {ceiling},
		"wrong-deny/04-node-options-ceiling.yaml":            {ceiling},
		"wrong-deny/05-dshm-sizelimit-above-limit.yaml":      {volume},
		"wrong-deny/06-tmp-in-memory-sizelimit.yaml":         {volume},
		"wrong-deny/07-java-opts-not-read.yaml":              nil,
		"wrong-deny/08-java-opts-on-nginx.yaml":              nil,
		"wrong-deny/09-node-options-on-nginx-spa.yaml":       nil,
		"wrong-deny/10-kafka-heap-opts-on-exporter.yaml":     nil,
		"wrong-deny/11-java-opts-and-tool-options.yaml":      nil,
		"wrong-deny/12-elasticsearch-ignores-java-opts.yaml": nil,
		"wrong-deny/13-redis-maxmemory-ceiling.yaml":         {ceiling},
		"wrong-warn/07-gomemlimit-on-nginx.yaml":             nil,
	} {
		t.Run(filepath.Base(file), func(t *testing.T) {
			var got []string
			for _, f := range findings(t, rules, filepath.Join(dir, filepath.FromSlash(file)), false) {
				if f.Rule != "image-tag-mutable" { // some have no tag, which is another matter
					got = append(got, f.Rule+"="+string(f.Level))
				}
			}
			if diff := gocmp.Diff(want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
