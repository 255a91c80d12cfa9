package redact_test

import (
	"encoding/json"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/builtin"
	"github.com/forestall/forestall/internal/config"
	"github.com/forestall/forestall/internal/redact"
	"github.com/forestall/forestall/policies"
)

// auditor returns what reviews, with the default settings.
func auditor(t testing.TB) redact.Audit {
	t.Helper()
	rules, err := builtin.RulesOf(t.Context(), policies.FS)
	if err != nil {
		t.Fatal(err)
	}
	cfg, err := config.Load("")
	if err != nil {
		t.Fatal(err)
	}
	return redact.Audit{Rules: rules, Settings: cfg.AuditSettings()}
}

func public(t testing.TB) [][]byte {
	t.Helper()
	var all [][]byte
	for _, file := range []string{policies.ProgramsFile, policies.ImagesFile, policies.MemoryFile} {
		raw, err := policies.FS.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, raw)
	}
	return all
}

// objectsOf reads the objects of a file; none where it cannot be read as a whole.
func objectsOf(t testing.TB, a redact.Audit, file string) []redact.Object {
	t.Helper()
	set, err := audit.Load(t.Context(), audit.Options{Paths: []string{file}, Kinds: a.Settings.Kinds})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = set.Close() }()
	read, failed, err := set.All(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(failed) > 0 {
		return nil
	}
	var all []redact.Object
	for _, o := range read {
		var object redact.Object
		if err := json.Unmarshal(o.Subject.Object, &object); err != nil {
			t.Fatal(err)
		}
		all = append(all, object)
	}
	return all
}

// manifests finds the manifests below folders, at most so many of each.
func manifests(t testing.TB, most int, dirs ...string) []string {
	t.Helper()
	var all []string
	for _, dir := range dirs {
		var here []string
		_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && strings.HasSuffix(path, ".yaml") && d.Name() != "case.yaml" && d.Name() != "proof.yaml" {
				here = append(here, path)
			}
			return nil
		})
		step := max(1, len(here)/most)
		for i := 0; i < len(here); i += step {
			all = append(all, here[i])
		}
	}
	return all
}

// TestVerdictsStay redacts manifests of the rules, of the corpus and of the examples, and reviews what it gets. With
// FORESTALL_SHARED, a folder with more manifests, it takes all of them.
func TestVerdictsStay(t *testing.T) {
	a, known := auditor(t), public(t)
	shared := os.Getenv("FORESTALL_SHARED")
	dirs := []string{"../../policies/forestall/rules", "../../test/corpus/testdata/cases", "../../examples"}
	most := 40
	if shared != "" {
		most = 1 << 20
		dirs = append(dirs, shared)
	}
	for _, file := range manifests(t, most, dirs...) {
		objects := objectsOf(t, a, file)
		if len(objects) == 0 {
			continue
		}
		got, err := redact.Do(t.Context(), objects, redact.Options{Review: a.Review, Judged: a.Judged, Public: known})
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		if len(got.Needed) > 0 {
			t.Logf("%s: %q", file, got.Needed)
		}
		again, err := a.Review(t.Context(), got.Objects)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(byRule(got.Verdict), byRule(again)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", file, diff)
		}
	}
}

// byRule counts findings without the positions of their objects, which move where others are left out.
func byRule(v redact.Verdict) map[redact.Finding]int {
	all := map[redact.Finding]int{}
	for _, f := range v {
		f.Object = 0
		all[f]++
	}
	return all
}

// TestNothingIsTold plants names and secrets at every place that a manifest has for them.
func TestNothingIsTold(t *testing.T) {
	a := auditor(t)
	objects := objectsOf(t, a, "testdata/planted.yaml")
	got, err := redact.Do(t.Context(), objects, redact.Options{Review: a.Review, Judged: a.Judged, Public: public(t)})
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for _, o := range got.Objects {
		raw, err := yaml.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		text.WriteString("---\n" + string(raw))
	}
	for _, planted := range []string{"zorgon", "glorp", "hunter2", "s3cr3t", "quux", "10.11.12.13", "481516234", "Brontë"} {
		if strings.Contains(strings.ToLower(text.String()), strings.ToLower(planted)) {
			t.Errorf("%s is told:\n%s", planted, text.String())
		}
	}
	golden(t, "testdata/planted.golden", text.String())
	if want := []string{"Secret", "ConfigMap"}; !slices.Equal(got.Left, want) {
		t.Errorf("left out %q, want %q", got.Left, want)
	}
}

var update = flag.Bool("update", false, "write the golden files")

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
}
