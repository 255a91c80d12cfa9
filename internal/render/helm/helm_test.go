package helm

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"helm.sh/helm/v4/pkg/chart/loader/archive"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	chartutil "helm.sh/helm/v4/pkg/chart/v2/util"
	"sigs.k8s.io/yaml"

	"github.com/forestall/forestall/internal/render"
)

// shop are the options under which testdata/shop/want.yaml was rendered.
func shop() Options {
	return Options{
		Values:    Values{Files: []string{"testdata/shop/values.yaml"}, Set: []string{"second.size=3"}, Strings: []string{"workers.b.replicas=2"}},
		Namespace: "trade", KubeVersion: "1.34", APIVersions: []string{"example.com/v1"},
	}
}

// TestRendersAsHelm compares with what the program helm v4.3.1 made of the same:
//
//	helm template release-name testdata/shop/chart -n trade --kube-version 1.34 -a example.com/v1 --include-crds \
//	  -f testdata/shop/values.yaml --set second.size=3 --set-string workers.b.replicas=2 > testdata/shop/want.yaml
func TestRendersAsHelm(t *testing.T) {
	for _, path := range []string{"testdata/shop/chart", packedChart(t, "testdata/shop/chart", "shop")} {
		texts := rendering(t, path, shop())
		if diff := cmp.Diff(objectsOfHelm(t, "testdata/shop/want.yaml"), objects(t, texts)); diff != "" {
			t.Errorf("%s: -helm +forestall\n%s", path, diff)
		}
	}
}

// TestPlaces names the template line of every line of a text that several constructs write.
func TestPlaces(t *testing.T) {
	path := packedChart(t, "testdata/shop/chart", "shop")
	want := map[string][]int{
		"shop/templates/workers.yaml": {
			4, 5, 6, 7, 8, 9, 10, 11, 11, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 23, 24, 28, 30,
			31, 31, 31, 36, 37, 37, 37, 37, 38, 39, 40, 41, 42, 43, 45, 45, 45,
		},
		"shop/templates/config.yaml":                                 {1, 2, 3, 4, 5, 6, 6, 7, 8, 9, 9, 9, 10, 11, 12, 13, 14, 15},
		"shop/charts/cache-1.0.0.tgz/cache/templates/pod.yaml":       {1, 2, 3, 4, 5, 6, 7, 8, 9},
		"shop/charts/cache-1.0.0.tgz/cache/templates/pod.yaml again": {1, 2, 3, 4, 5, 6, 7, 8, 9},
		"shop/crds/widget.yaml":                                      {1, 2, 3, 4},
	}
	got := map[string][]int{}
	for _, text := range rendering(t, path, shop()) {
		name, inside := strings.CutPrefix(text.Name, path+"/")
		if !inside {
			t.Errorf("%s is not in %s", text.Name, path)
		}
		if got[name] != nil {
			name += " again"
		}
		lines := linesOf(t, &text)
		if strings.HasSuffix(name, "workers.yaml") {
			lines = lines[:43] // of the first worker
		}
		if want[name] != nil {
			got[name] = lines
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// linesOf returns where the lines of a text come from, those without content apart at its end.
func linesOf(t *testing.T, text *render.Text) []int {
	t.Helper()
	var all []int
	for i := range strings.Split(strings.TrimRight(string(text.Text), "\n"), "\n") {
		at := text.At("", i+1)
		if at.File != text.Name {
			t.Errorf("line %d of %s comes from %s", i+1, text.Name, at.File)
		}
		all = append(all, at.Line)
	}
	return all
}

// TestLinesHold renders charts and looks at every line: it must be that of the template, or be written by an action there.
func TestLinesHold(t *testing.T) {
	dir := t.TempDir()
	if _, err := chartutil.Create("web", dir); err != nil { // what 'helm create' writes
		t.Fatal(err)
	}
	web := filepath.Join(dir, "web")
	all := Values{Set: []string{"ingress.enabled=true,autoscaling.enabled=true,httpRoute.enabled=true", "nodeSelector.a=b"}}
	for path, o := range map[string]Options{web: {Values: all}, "testdata/shop/chart": shop()} {
		lines := 0
		for _, text := range rendering(t, path, o) {
			source, err := os.ReadFile(text.Name)
			if err != nil {
				t.Fatal(err)
			}
			template := strings.Split(string(source), "\n")
			for i, line := range strings.Split(string(text.Text), "\n") {
				if strings.TrimSpace(line) == "" {
					continue
				}
				at := text.At("", i+1)
				if at.Line < 1 || at.Line > len(template) {
					t.Errorf("%s: line %d of what was rendered comes from line %d", text.Name, i+1, at.Line)
					continue
				}
				lines++
				if from := template[at.Line-1]; !strings.Contains(from, "{{") && strings.TrimSpace(from) != strings.TrimSpace(line) {
					t.Errorf("%s:%d is %q, and is to have written %q", text.Name, at.Line, from, line)
				}
			}
		}
		if lines < 80 {
			t.Errorf("%s: only %d lines were looked at", path, lines)
		}
	}
}

// TestDrawnOnce has the places of a chart that draws.
func TestDrawnOnce(t *testing.T) {
	path := chartOf(t, map[string]string{"templates/a.yaml": `a: {{ randAlphaNum 20 }}
{{- range keys (dict "a" 1 "b" 2 "c" 3 "d" 4) }}
{{ . }}: {{ uuidv4 }}
{{- end }}
{{- $cert := genSelfSignedCert "a" nil nil 1 }}
cert: {{ $cert.Cert | b64enc }}
now: {{ now | date "2006" }}
{{- if (randNumeric 1 | int | lt 4) }}
odd: true
{{- else }}
even: true
{{- end }}
`})
	for range 10 {
		lines := linesOf(t, &rendering(t, path, Options{})[0])
		if !slices.Equal(lines[:7], []int{1, 3, 3, 3, 3, 6, 7}) || lines[7] != 9 && lines[7] != 11 {
			t.Fatalf("the lines are %v", lines)
		}
	}
}

// TestLinesOfTheUnusual are constructs that marks could break.
func TestLinesOfTheUnusual(t *testing.T) {
	tests := map[string]struct {
		template string
		want     []int
	}{
		"templates that define others":  {"{{ define \"x\" }}\nx\n{{ end }}a\n{{ template \"x\" . }}b\n", []int{3, 4, 4, 4}},
		"blocks":                        {"a\n{{ block \"x\" . }}b\nc\n{{ end }}\nd\n", []int{1, 2, 2, 4, 5}},
		"what includes itself":          {"a\n{{ if not .again }}{{ include \"one/templates/a.yaml\" (dict \"again\" true) }}{{ end }}b\n", []int{1, 2, 2, 2}},
		"what is included with its top": {"{{ if .Values.ready }}{{ $_ := set .Values \"ready\" false }}{{ include \"one/templates/a.yaml\" . }}{{ else }}a\nb{{ end }}\n", []int{1, 2}},
		"what changes its values":       {"{{ $_ := set .Values \"n\" 1 }}\na: {{ .Values.n }}\n{{ if .Values.n }}b{{ end }}\n", []int{1, 2, 3}},
		"trimmed on both sides":         {"a:\n\n{{- 1 -}}\n\n{{- 2 }}\n   {{- 3 -}}   \n\nb\n", []int{1}},
		"an action over lines":          {"a\n{{ printf\n \"%s\\n%s\"\n  \"b\"\n  \"c\" }}\nd\n", []int{1, 2, 2, 6}},
		"break and continue":            {"{{ range list 1 2 3 }}\n{{ if eq . 2 }}{{ continue }}{{ end }}\na{{ . }}\n{{ end }}\n", []int{1, 2, 3, 1, 1, 2, 3}},
		"carriage returns":              {"a: 1\r\n{{- if true }}\r\nb: 2\r\n{{- end }}\r\n", []int{1, 3}},
		"strings that hold brackets":    {"{{ `{{-` }}\n{{ \"{{\" }} a\n{{/* {{ */}}\nb\n", []int{1, 2, 3, 4}},
		"no value":                      {"a: {{ index (dict) \"x\" }}\nb: <no value>\nc\n", []int{1, 2, 3}},
		"nothing but text":              {"a\n\n\nb", []int{1, 2, 3, 4}},
		"else with":                     {"{{ with .Values.none }}\na\n{{ else with .Values.ready }}\nb\n{{ else }}\nc\n{{ end }}\n", []int{3, 4}},
		"tpl":                           {"a\n{{ tpl \"x\\n{{ .Values.ready }}\\n\" . }}b\n", []int{1, 2, 2, 2}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			path := chartOf(t, map[string]string{"values.yaml": "ready: true", "templates/a.yaml": test.template})
			text := rendering(t, path, Options{})[0]
			if lines := linesOf(t, &text); !slices.Equal(lines, test.want) {
				t.Errorf("%q has the lines %v, want %v", text.Text, lines, test.want)
			}
		})
	}
}

// FuzzMarks renders templates with and without marks.
func FuzzMarks(f *testing.F) {
	f.Add("{{- with .Values }}\na: {{ .b }}\n{{- else }}\n  c: {{ include \"x\" . }}\n{{ end -}}\n{{/* d\n */}}e\n")
	f.Add("{{ range list 1 2 }}{{- . -}} x\n{{ else }}y{{ end }}{{ define \"a\" }}{{ end }}")
	f.Fuzz(func(t *testing.T, text string) {
		for _, word := range []string{markFunction, markBegin, "until", "repeat", "gen", "rand", "seq", "pass", "crypt", "indent"} {
			if strings.Contains(text, word) {
				return // what marks themselves are made of, and what takes long
			}
		}
		c := chartIn(t, map[string]string{"Chart.yaml": chartYAML, "templates/a.yaml": text})
		top, err := Options{}.scope(c.chart, nil)
		if err != nil {
			t.Fatal(err)
		}
		d := &draws{}
		clean, err := c.render(top, d.functions())
		if err != nil {
			return
		}
		const name = "one/templates/a.yaml"
		lines := c.lines(top, d, clean)
		if lines[name] == nil {
			t.Fatalf("the marks change %q, which renders %q", text, clean[name])
		}
		if count := strings.Count(clean[name], "\n") + 1; len(lines[name]) != count {
			t.Errorf("%d lines are told of %d", len(lines[name]), count)
		}
		if string(c.chart.Templates[0].Data) != text {
			t.Error("the template was left changed")
		}
	})
}

// TestEnds gives up.
func TestEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	path := chartOf(t, nil)
	if _, err := Render(ctx, path, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}

const chartYAML = "{apiVersion: v2, name: one, version: 1.0.0}"

// chartOf writes a chart and returns its folder.
func chartOf(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "Chart.yaml"), chartYAML)
	for name, text := range files {
		write(t, filepath.Join(dir, name), text)
	}
	return dir
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// chartIn loads a chart that is in no folder.
func chartIn(t *testing.T, files map[string]string) *loaded {
	t.Helper()
	var all []*archive.BufferedFile
	for name, text := range files {
		all = append(all, &archive.BufferedFile{Name: name, Data: []byte(text)})
	}
	c, err := loader.LoadFiles(all)
	if err != nil {
		t.Fatal(err)
	}
	return &loaded{chart: c}
}

// rendering renders a chart in which nothing is wrong.
func rendering(t *testing.T, path string, o Options) []render.Text {
	t.Helper()
	r, err := Render(t.Context(), path, o)
	if err != nil || len(r.Notes) > 0 {
		t.Fatal(err, r.Notes)
	}
	for _, text := range r.Texts {
		if text.Err != nil {
			t.Fatalf("%s:%d: %v", text.Name, text.Line, text.Err)
		}
	}
	return r.Texts
}

// packedChart packs a chart with the charts in it, as 'helm package' does.
func packedChart(t *testing.T, dir, name string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), name+".tgz")
	write(t, out, string(packedFolder(t, os.DirFS(dir), name)))
	return out
}

func packedFolder(t *testing.T, dir fs.FS, name string) []byte {
	t.Helper()
	var packed bytes.Buffer
	zipped := gzip.NewWriter(&packed)
	files := tar.NewWriter(zipped)
	add := func(path string, text []byte) {
		if err := files.WriteHeader(&tar.Header{Name: name + "/" + path, Mode: 0o644, Size: int64(len(text))}); err != nil {
			t.Fatal(err)
		}
		if _, err := files.Write(text); err != nil {
			t.Fatal(err)
		}
	}
	err := fs.WalkDir(dir, ".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case path == "ignored" || strings.HasSuffix(path, ".bak"): // as .helmignore says
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir() && strings.HasPrefix(path, "charts/"):
			sub, err := fs.Sub(dir, path)
			if err != nil {
				return err
			}
			add(path+"-1.0.0.tgz", packedFolder(t, sub, d.Name()))
			return fs.SkipDir
		case d.IsDir():
			return nil
		}
		text, err := fs.ReadFile(dir, path)
		add(path, text)
		return err
	})
	if err = errors.Join(err, files.Close(), zipped.Close()); err != nil {
		t.Fatal(err)
	}
	return packed.Bytes()
}

// objectsOfHelm returns the objects in the output of 'helm template', by kind and name.
func objectsOfHelm(t *testing.T, name string) map[string]any {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return objects(t, []render.Text{{Text: text}})
}

func objects(t *testing.T, texts []render.Text) map[string]any {
	t.Helper()
	all := map[string]any{}
	for _, text := range texts {
		for _, d := range strings.Split("\n"+string(text.Text), "\n---") {
			var o struct {
				Kind     string
				Metadata struct{ Name string }
			}
			var value any
			if err := errors.Join(yaml.Unmarshal([]byte(d), &o), yaml.Unmarshal([]byte(d), &value)); err != nil {
				t.Fatalf("%v in\n%s", err, d)
			}
			if value != nil {
				all[o.Kind+"/"+o.Metadata.Name] = value
			}
		}
	}
	return all
}

// TestNothingIsFetched has a schema that refers to others.
func TestNothingIsFetched(t *testing.T) {
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	defer server.Close()
	for _, url := range []string{server.URL + "/schema.json", "file:///etc/hostname"} {
		path := chartOf(t, map[string]string{
			"values.yaml":        "a: 1",
			"values.schema.json": `{"properties": {"a": {"$ref": "` + url + `"}}}`,
			"templates/a.yaml":   `a: "{{ getHostByName "localhost" }}"` + "\n",
		})
		r, err := Render(t.Context(), path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		note := "values.schema.json of the chart one refers to " + url + ", which is not fetched: what it says of the values was not checked"
		if !slices.Equal(r.Notes, []string{note}) || len(r.Texts) != 1 || string(r.Texts[0].Text) != "a: \"\"\n" {
			t.Errorf("%s: %+v", url, r)
		}
	}
	if asked.Load() > 0 {
		t.Error("the server was asked")
	}
}
