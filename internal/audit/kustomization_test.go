package audit

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestKustomization: each form of a kustomization names its patches, in the folder where it lies.
func TestKustomization(t *testing.T) {
	const head = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n"
	for _, tt := range []struct {
		name, file, text string
		want             []string // the files in prod/ and base/ that are patches
	}{
		{"patches", "prod/kustomization.yaml", "patches: [{path: a.yaml}, {patch: 'b.yaml'}]", []string{"prod/a.yaml"}},
		{"in another folder", "prod/kustomization.yaml", "patches: [{path: ../base/b.yaml}, {path: ./a.yaml}]", []string{"base/b.yaml", "prod/a.yaml"}},
		{"strategic merge", "prod/kustomization.yml", "patchesStrategicMerge: [a.yaml, \"kind: Pod\\n\"]", []string{"prod/a.yaml"}},
		{"JSON 6902", "base/Kustomization", "patchesJson6902: [{path: a.yaml}]", []string{"base/a.yaml"}},
		{"patches that are names alone, beside others", "prod/kustomization.yaml", "patches: [a.yaml]\npatchesStrategicMerge: [b.yaml]", []string{"prod/b.yaml"}},
		{"under another name", "prod/all.yaml", head + "patches: [{path: a.yaml}]", []string{"prod/a.yaml"}},
		{"a component", "prod/all.yaml", "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\npatches: [{path: a.yaml}]", []string{"prod/a.yaml"}},
		{"one of flux", "prod/all.yaml", "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\npatches: [{path: a.yaml}]", nil},
		{"no kustomization", "prod/values.yaml", "patches: [{path: a.yaml}]", nil},
		{"resources", "prod/kustomization.yaml", "resources: [a.yaml, b.yaml]", nil},
		{"a list", "prod/kustomization.yaml", "[patches]", nil},
		{"nothing that can be read", "prod/kustomization.yaml", "patches: {{ .Values.patches }}", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, filepath.Join(dir, tt.file), tt.text)
			for _, file := range []string{"prod/a.yaml", "prod/b.yaml", "base/a.yaml", "base/b.yaml"} {
				write(t, filepath.Join(dir, file), pod+"spec: {containers: [{name: a, image: \"a:1\"}]}\n")
			}
			set, err := Load(t.Context(), Options{Paths: []string{dir}, MaxDocument: 1 << 20})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = set.Close() })
			objects, _ := all(t, set)
			var got []string
			for _, o := range objects {
				if why := o.Subject.Part; why != "" {
					if want := "a patch of " + filepath.Join(dir, tt.file); why != want {
						t.Errorf("%s: %s, want %s", o.Place("").File, why, want)
					}
					name, err := filepath.Rel(dir, o.Place("").File)
					if err != nil {
						t.Fatal(err)
					}
					got = append(got, filepath.ToSlash(name))
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("patches (-want +got):\n%s", diff)
			}
		})
	}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestPatchesAreBounded(t *testing.T) {
	var files []string
	for i := range maxPatches + 10 {
		files = append(files, fmt.Sprint(i))
	}
	var p patches
	p.add("kustomization.yaml", files)
	if len(p) != maxPatches || p.why("0") != "a patch of kustomization.yaml" || p.why(fmt.Sprint(maxPatches)) != "" {
		t.Errorf("%d patches are kept, want %d", len(p), maxPatches)
	}
}
