package kustomize

import (
	"context"
	"encoding/base64"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/render"
)

const shop = "testdata/shop/overlay"

// TestBuildsAsKubectl compares with what kubectl v1.36.3 made of the same, which sorts it:
//
//	kubectl kustomize testdata/shop/overlay > testdata/shop/want.yaml
func TestBuildsAsKubectl(t *testing.T) {
	want, err := os.ReadFile("testdata/shop/want.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, text := range rendering(t, shop) {
		all = append(all, strings.TrimSuffix(string(text.Text), "\n"))
	}
	slices.Sort(all)
	if diff := cmp.Diff(slices.Sorted(strings.SplitSeq(strings.TrimSuffix(string(want), "\n"), "\n---\n")), all); diff != "" {
		t.Errorf("-kubectl +forestall\n%s", diff)
	}
}

// TestPlaces tells of fields where they were written.
func TestPlaces(t *testing.T) {
	const web, api = "kind: Deployment/name: prod-web", "kind: Deployment/name: prod-web-api"
	tests := []struct{ object, path, want string }{
		{web, "", "base/web.yaml:11"},
		{web, "metadata.name", "base/web.yaml:13"},       // with a prefix, so that of the mapping around it
		{web, "metadata.labels.app", "base/web.yaml:16"}, // behind an anchor
		{web, "spec.replicas", "base/web.yaml:17"},       // changed by the kustomization
		{web, "spec.selector.matchLabels", "base/web.yaml:20"},
		{web, "spec.template.spec.containers[1]", "base/web.yaml:26"}, // the second one of what was rendered is the first one of the file
		{web, "spec.template.spec.containers[1].image", "base/web.yaml:26"},
		{web, "spec.template.spec.containers[1].command[0]", "base/web.yaml:28"},
		{web, "spec.template.spec.containers[1].args[0]", "overlay/side.yaml:13"},
		{web, "spec.template.spec.containers[1].env[0].value", "base/web.yaml:36"}, // replaced
		{web, "spec.template.spec.containers[1].env[1].value", "base/web.yaml:38"},
		{web, "spec.template.spec.containers[1].resources.limits.memory", "base/web.yaml:41"},
		{web, "spec.template.spec.containers[1].resources.requests", "base/web.yaml:39"}, // not there
		{web, "spec.template.spec.containers[0].command[0]", "overlay/side.yaml:11"},
		{web, "spec.template.spec.containers[0].resources", "base/web.yaml:42"},
		{web, "spec.template.spec.containers[2].image", "overlay/side.yaml:15"},
		{web, "spec.template.spec.containers[2].resources", "overlay/side.yaml:14"},
		{web, "spec.template.spec.terminationGracePeriodSeconds", "overlay/side.yaml:7"},
		{web, "no such path[", "base/web.yaml:11"},
		{api, "metadata.annotations", "base/web.yaml:49"}, // all of them replaced
		{api, "spec.template.spec.containers[0].command[2]", "base/web.yaml:62"},
		{api, "spec.template.spec.containers[1]", "base/web.yaml:55"}, // of a patch in the kustomization
		{"kind: Pod/name: prod-one", "spec.containers[0].image", "base/list.yaml:11"},
		{"kind: Pod/name: prod-one", "spec.containers[0].resources.limits.memory", "base/list.yaml:10"},
		{"kind: Pod/name: prod-db", "spec.containers[0].name", "base/db.json:8"},
		{"kind: Pod/name: prod-db", "spec.containers[0].image", "base/db.json:7"},
		{"kind: Pod/name: prod-db", "", "base/db.json:1"},
		{"kind: CronJob/name: prod-nightly", "spec.jobTemplate.spec.template.spec.containers[0].image", "overlay/extra.yaml:12"},
		{"kind: ConfigMap/name: prod-conf", "data", "overlay"},
		{"kind: Secret/name: prod-keys", "data", "overlay"},
	}
	texts := rendering(t, shop)
	for _, test := range tests {
		var found *render.Text
		kind, name, _ := strings.Cut(test.object, "/")
		for i, text := range texts {
			if s := string(text.Text); strings.Contains(s, "\n"+kind+"\n") && (strings.Contains(s, "\n  "+name+"\n") || kind != "kind: Deployment" && strings.Contains(s, "\n  "+name)) {
				found = &texts[i]
			}
		}
		if found == nil {
			t.Errorf("there is no %s", test.object)
			continue
		}
		if got := strings.TrimPrefix(found.At(test.path, 1).String(), "testdata/shop/"); got != test.want {
			t.Errorf("%s, %s: %s, want %s", test.object, test.path, got, test.want)
		}
	}
}

// TestNothingIsWritten looks at what a build may do.
func TestNothingIsWritten(t *testing.T) {
	f := newFiles(t.Context())
	_, created := f.Create("a")
	for name, err := range map[string]error{
		"create": created, "write": f.WriteFile("a", nil), "remove": f.RemoveAll("a"), "folder": f.Mkdir("a"), "folders": f.MkdirAll("a/b"),
	} {
		if !errors.Is(err, errReadOnly) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestStrange(t *testing.T) {
	tests := map[string]struct {
		files map[string]string
		links map[string]string
		want  string
	}{
		"a link to a file elsewhere": {
			files: map[string]string{"kustomization.yaml": "resources: [pod.yaml]"},
			links: map[string]string{"pod.yaml": "/etc/hostname"},
			want:  "security; file 'DIR/pod.yaml' is not in or below 'DIR'",
		},
		"a generator of a file elsewhere": {
			files: map[string]string{"kustomization.yaml": "configMapGenerator: [{name: a, files: [/etc/hostname]}]"},
			want:  "security; file '/etc/hostname' is not in or below 'DIR'",
		},
		"a kustomization of itself": {
			files: map[string]string{"kustomization.yaml": "resources: [.]"},
			want:  "cycle detected: candidate root 'DIR' contains visited root 'DIR'",
		},
		"two kustomizations": {
			files: map[string]string{"kustomization.yaml": "namePrefix: a", "kustomization.yml": "namePrefix: a"},
			want:  "Found multiple kustomization files under: DIR",
		},
		"no objects": {
			files: map[string]string{"kustomization.yaml": "resources: [a.yaml]", "a.yaml": "- a\n- b\n"},
			want:  "building the kustomization",
		},
		"no kind": {
			files: map[string]string{"kustomization.yaml": "resources: [a.yaml]", "a.yaml": "a: b\n"},
			want:  "missing Resource metadata",
		},
		"a field that there is not": {
			files: map[string]string{"kustomization.yaml": "resource: [a.yaml]"},
			want:  `invalid Kustomization: json: unknown field "resource"`,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range test.files {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			for name, to := range test.links {
				if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
					t.Fatal(err)
				}
			}
			texts, err := Render(t.Context(), dir)
			if err != nil || len(texts) != 1 || texts[0].Err == nil || texts[0].Name != dir {
				t.Fatalf("%v, %v", texts, err)
			}
			if got, want := texts[0].Err.Error(), strings.ReplaceAll(test.want, "DIR", dir); !strings.Contains(got, want) {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

func TestAddresses(t *testing.T) {
	for name, want := range map[string]bool{
		"https://example.com/a.yaml": true, "HTTP://example.com": true, "github.com/org/repo": true, "GitHub.com:org/repo": true,
		"git@example.com:org/repo": true, "ssh://git@example.com/repo": true, "git::https://example.com/repo": true, "file:///etc": true,
		"org@dev.azure.com/org/project/_git/repo": true,
		"../base": false, "/etc/passwd": false, "github.community/base": false, "http": false, "a:b": false, "web@2x.yaml/x": true,
	} {
		if got := isAddress(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Render(ctx, shop); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}

// rendering builds a kustomization in which nothing is wrong.
func rendering(t *testing.T, path string) []render.Text {
	t.Helper()
	texts, err := Render(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range texts {
		if text.Err != nil {
			t.Fatalf("%s:%d: %v", text.Name, text.Line, text.Err)
		}
	}
	return texts
}

// TestNothingIsFetched names an address in every field that takes a file or a folder.
func TestNothingIsFetched(t *testing.T) {
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	defer server.Close()
	at := server.URL + "/a.yaml"
	const builtin = "apiVersion: builtin\nmetadata: {name: a}\n"
	tests := []map[string]string{
		{"kustomization.yaml": "resources: [" + at + "]"},
		{"kustomization.yaml": "RESOURCES: [" + at + "]"},
		{"kustomization.yaml": "bases: [" + at + "]"},
		{"kustomization.yaml": "resources: [git::" + at + "]"},
		{"kustomization.yaml": "x: &x [" + at + "]\nresources: *x"},
		{"kustomization.yaml": "resources: [!!binary " + base64.StdEncoding.EncodeToString([]byte(at)) + "]"},
		{"kustomization.yaml": "\"resour\\x63es\": [\"" + at + "\"]"},
		{"kustomization.yaml": "components: &x [" + at + "]\nresources: *x"},
		{"kustomization.yaml": "metadata: &x {resources: [" + at + "]}\n<<: *x"},
		{"kustomization.yaml": "components: [" + at + "]"},
		{"kustomization.yaml": "crds: [" + at + "]"},
		{"kustomization.yaml": "configurations: [" + at + "]"},
		{"kustomization.yaml": "generators: [" + at + "]"},
		{"kustomization.yaml": "transformers: [" + at + "]"},
		{"kustomization.yaml": "validators: [" + at + "]"},
		{"kustomization.yaml": "openapi: {path: " + at + "}"},
		{"kustomization.yaml": "resources: [pod.yaml]\nreplacements: [{path: " + at + "}]"},
		{"kustomization.yaml": "resources: [pod.yaml]\npatches: [{path: " + at + "}]"},
		{"kustomization.yaml": "resources: [pod.yaml]\npatchesStrategicMerge: [" + at + "]"},
		{"kustomization.yaml": "resources: [pod.yaml]\npatchesJson6902: [{path: " + at + ", target: {kind: Pod, version: v1, name: a}}]"},
		{"kustomization.yaml": "configMapGenerator: [{name: a, files: [" + at + "]}]"},
		{"kustomization.yaml": "configMapGenerator: [{name: a, files: [a=" + at + "]}]"},
		{"kustomization.yaml": "secretGenerator: [{name: a, envs: [" + at + "]}]"},
		{"kustomization.yaml": "secretGenerator: [{name: a, env: " + at + "}]"},
		{"kustomization.yaml": "resources: [pod.yaml]\ntransformers: [t.yaml]", "t.yaml": builtin + "kind: PatchTransformer\npath: " + at},
		{"kustomization.yaml": "resources: [pod.yaml]\ntransformers: [t.yaml]", "t.yaml": "? [a]\n: b\n---\n" + builtin + "kind: PatchTransformer\npath: " + at},
		{"kustomization.yaml": "resources: [pod.yaml]\ntransformers: [t.yaml]", "t.yaml": "{apiVersion: !!binary YnVpbHRpbg==, kind: PatchTransformer, metadata: {name: a}, path: '" + at + "'}"},
		{"kustomization.yaml": "resources: [pod.yaml]\ntransformers: [t]", "t/kustomization.yml": "resources: [t.yaml]", "t/t.yaml": builtin + "kind: PatchTransformer\npath: " + at},
		{"kustomization.yaml": "resources: [pod.yaml]\ntransformers:\n- |\n  apiVersion: builtin\n  kind: PatchTransformer\n  metadata: {name: a}\n  path: " + at},
		{"kustomization.yaml": "resources: [pod.yaml]\ntransformers: [t.yaml]", "t.yaml": "apiVersion: builtin\nkind: PatchJson6902Transformer\nmetadata: {name: a}\ntarget: {kind: Pod, name: a}\npath: " + at},
		{"kustomization.yaml": "resources: [pod.yaml]\ntransformers: [t.yaml]", "t.yaml": "apiVersion: builtin\nkind: ReplacementTransformer\nmetadata: {name: a}\nreplacements: [{path: " + at + "}]"},
		{"kustomization.yaml": "generators: [t.yaml]", "t.yaml": "apiVersion: builtin\nkind: ConfigMapGenerator\nmetadata: {name: a}\nfiles: [" + at + "]"},
	}
	for _, files := range tests {
		dir := t.TempDir()
		files["pod.yaml"] = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n"
		for name, text := range files {
			name = filepath.Join(dir, name)
			if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o600)); err != nil {
				t.Fatal(err)
			}
		}
		texts, err := Render(t.Context(), dir)
		if err != nil || len(texts) != 1 || texts[0].Err == nil || !strings.Contains(texts[0].Err.Error(), "is an address, and nothing is fetched") && !strings.Contains(texts[0].Err.Error(), "unknown field") {
			t.Errorf("%v: %v, %v", files, texts, err)
		}
		if n := asked.Swap(0); n > 0 {
			t.Errorf("%v: the server was asked %d times", files, n)
		}
	}
}
