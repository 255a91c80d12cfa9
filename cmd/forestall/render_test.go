package main

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestRenderedVerdicts: a chart and a kustomization are judged as the files are that Helm and kubectl make of them, but for the place.
func TestRenderedVerdicts(t *testing.T) {
	const helm, kustomize = "../../internal/render/helm/testdata/shop/", "../../internal/render/kustomize/testdata/shop/"
	tests := map[string]struct{ rendered, files []string }{
		"a chart": {
			[]string{"--helm", helm + "chart", "--values", helm + "values.yaml", "--set", "second.size=3", "--set-string", "workers.b.replicas=2", "--kube-version", "1.34", "--api-versions", "example.com/v1", "-n", "trade"},
			[]string{helm + "want.yaml", "-n", "trade"},
		},
		"a kustomization": {[]string{"--kustomize", kustomize + "overlay"}, []string{kustomize + "want.yaml"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, want := verdictsOf(t, test.rendered), verdictsOf(t, test.files)
			if len(want) < 5 {
				t.Fatalf("only %d findings", len(want))
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("-files +rendered\n%s", diff)
			}
		})
	}
}

// verdictsOf returns the findings of an audit without their places, by what tells them apart.
func verdictsOf(t *testing.T, args []string) map[string]any {
	t.Helper()
	var out, complaints bytes.Buffer
	args = append([]string{"audit", "--no-config", "--complete", "-o", "json"}, args...)
	if code := run(t.Context(), args, streams{out: &out, err: &complaints}); code != exitFound {
		t.Fatalf("exit code %d: %s", code, complaints.String())
	}
	var report struct{ Findings []map[string]any }
	if err := json.Unmarshal(out.Bytes(), &report); err != nil {
		t.Fatal(err)
	}
	all := map[string]any{}
	for _, f := range report.Findings {
		delete(f, "source")
		key, err := json.Marshal([]any{f["rule"], f["object"], f["container"], f["path"]})
		if err != nil {
			t.Fatal(err)
		}
		all[string(key)] = f
	}
	return all
}
