package manifest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// outlined tells what was made of a text, one line for each document, object and error.
func outlined(t testing.TB, in string) []string {
	t.Helper()
	var all []string
	for s := NewSplitter(strings.NewReader(in), 1<<20); ; {
		next, err := s.Next()
		if err != nil {
			return all
		}
		for _, d := range next.Documents() {
			all = append(all, told(again(t, d))...)
		}
	}
}

// again is the document as it comes back after it was kept.
func again(t testing.TB, d Document) Document {
	t.Helper()
	kept, err := Decode(d.Append(nil))
	if err != nil {
		t.Fatal(err)
	}
	kept.Skipped = d.Skipped
	return kept
}

func told(d Document) []string {
	var all []string
	for i := range d.Objects {
		o := &d.Objects[i]
		all = append(all, fmt.Sprintf("%d: %s %s/%s", d.LineOf(o, ""), o.APIVersion, o.Kind, o.Name))
	}
	for i := range d.Objects {
		for _, r := range d.Objects[i].Repeated {
			line := fmt.Sprintf("twice: %s, %d and %d", r.Path, r.First, r.Last)
			if r.Same {
				line += ", the same"
			}
			all = append(all, line)
		}
	}
	for _, f := range d.Faults {
		all = append(all, fmt.Sprintf("f:%d: %v", f.Line, f.Err))
	}
	if d.Skipped {
		all = append(all, fmt.Sprintf("%d: skipped", d.Line))
	}
	return all
}

const pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n"

func TestDocuments(t *testing.T) {
	for name, tt := range map[string]struct {
		in   string
		want []string
	}{
		"one object": {pod, []string{"1: v1 Pod/a"}},
		"a broken one between two": {pod + "---\na: [\n---\n" + pod, []string{
			"1: v1 Pod/a", "f:5: reading YAML: did not find expected node content", "7: v1 Pod/a",
		}},
		"directives": {"%YAML 1.2\n# \x01\n---\n" + pod, []string{"4: v1 Pod/a"}},
		"windows":    {"\ufeff" + strings.ReplaceAll(pod+"---\n"+pod, "\n", "\r\n"), []string{"1: v1 Pod/a", "5: v1 Pod/a"}},
		"other data": {"replicas: 1\n---\n- a\n---\ntext\n---\nkind: 5\napiVersion: v1\n", []string{"1: skipped", "3: skipped", "5: skipped", "7: skipped"}},
		"no apiVersion": {"\nkind: Deployment\nspec: {template: {spec: {containers: [{}, {image: a}]}}}\n---\nkind: Chart\n", []string{
			"f:2: this Deployment has no apiVersion: write apiVersion: apps/v1", "5: skipped",
		}},
		"values of a chart, a patch": {"kind: Deployment\nimage: a\n---\nkind: Pod\nspec: {containers: [{name: a}]}\n---\nkind: CronJob\nspec: [a]\n", []string{"1: skipped", "4: skipped", "7: skipped"}},
		"generated name":             {"apiVersion: v1\nkind: Pod\nmetadata: {generateName: a-}\n", []string{"1: v1 Pod/a-*"}},
		"key twice":                  {pod + "a: 1\nb: 2\na: 3\n", []string{"1: v1 Pod/a", "twice: a, 4 and 6"}},
		"two keys twice":             {"---\nb: 1\nb: 1\n" + pod + "a: 1\na: 2\na: 3\n", []string{"2: v1 Pod/a", "twice: b, 2 and 3, the same", "twice: a, 7 and 9"}},
		"key twice in data":          {"a: 1\nb: 2\na: 3\n", []string{"1: skipped"}},
		"kind twice":                 {pod + "kind: Service\n", []string{"1: v1 Service/a", "twice: kind, 2 and 4"}},
		"keys twice in a List": {
			"apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Pod}\nitems:\n- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: a\n    labels: {a.b/c: 1, a.b/c: 2}\n    name: b\n",
			[]string{"6: v1 Pod/b", "twice: metadata.name, 9 and 11", "twice: metadata.labels[a.b/c], 10 and 10", "f:5: items stands twice in the List, first on line 3: only the last one is read"},
		},
		"merged key":        {"x: &x {b: 1}\ny:\n  <<: *x\n  b: 2\n" + pod, []string{"1: v1 Pod/a"}},
		"merged, and twice": {"x: &x {b: 1}\ny:\n  <<: *x\n  c: 2\n  c: 3\n" + pod, []string{"1: v1 Pod/a", "twice: y.c, 4 and 5"}},
		"tab":               {"a: 1\nb:\n\tc: 2\n", []string{"f:3: reading YAML: found character that cannot start any token"}},
		"indentation":       {"a:\n  b: 1\n c: 2\n", []string{"f:3: reading YAML: did not find expected key"}},
		"open quote":        {"a: 1\nb: \"x\nc: 2\n", []string{"f:2: reading YAML: found unexpected end of stream"}},
		"control character": {"a: 1\n\nb: \x01\n", []string{"f:3: reading YAML: control characters are not allowed"}},
		"unknown anchor":    {"a: 1\n\nb: *x\n", []string{"f:3: reading YAML: unknown anchor 'x' referenced"}},
		"its own anchor":    {"a: &a [*a]\n", []string{"f:1: reading YAML: the document is larger than 1 MiB with its aliases written out"}},
		"invalid UTF-8":     {"a: 1\n---\nb: 2\nc: \xff\n", []string{"1: skipped", "f:4: the text is not valid UTF-8"}},
		"UTF-16":            {"\xff\xfea\x00:\x00", []string{"f:1: the file is in UTF-16: save it as UTF-8"}},
		"not a number": {pod + "a: .nan\n---\na: .nan\n---\nkind: Pod\na: .nan\n", []string{
			"f:1: reading YAML: json: unsupported value: NaN", "6: skipped", "8: skipped",
		}},
		"old YAML breaks": {"a: 1\r---\rb: 2\r", []string{"f:1: reading YAML: there is more text after the end of the document: begin the next one with a line of ---"}},
		"flow style":      {"{apiVersion: v1, kind: Pod, metadata: {name: a}}\n", []string{"1: v1 Pod/a"}},
		"more than flow style": {"{apiVersion: v1}\nkind: Pod\n", []string{
			"f:1: reading YAML: there is more text after the end of the document: begin the next one with a line of ---",
		}},
		"more than flow style, with a comment": {"# x\n{apiVersion: v1}\nkind: Pod\n", []string{
			"f:2: reading YAML: there is more text after the end of the document: begin the next one with a line of ---",
		}},
		"more than a text": {"''\nkind: Pod\n", []string{
			"f:1: reading YAML: there is more text after the end of the document: begin the next one with a line of ---",
		}},
		"template": {"a: 1\nb: {{ .Values.b }}\n", []string{
			"f:2: reading YAML: a key is not a plain value (a template is to be rendered first: forestall audit --helm CHART)",
		}},
		"template, first line": {"{{- if .a }}\na: 1\n{{- end }}\n", []string{
			"f:1: reading YAML: did not find expected node content (a template is to be rendered first: forestall audit --helm CHART)",
		}},
		"template that is YAML": {"a: \"{{ .Values.a }}\"\n" + pod, []string{
			`f:1: this is a template that was not rendered, a is "{{ .Values.a }}": render it first (forestall audit --helm CHART)`,
		}},
		"too large":              {pod + "---\nx: " + strings.Repeat("x", 1<<20) + "\n---\n" + pod, []string{"1: v1 Pod/a", "f:5: the document is larger than 1 MiB: split it (a List with: jq -c '.items[]')", "7: v1 Pod/a"}},
		"too large with aliases": {"a: &a " + strings.Repeat("x", 1<<12) + "\nb: [" + strings.Repeat("*a,", 1<<12) + "]\n", []string{"f:1: reading YAML: the document is larger than 1 MiB with its aliases written out"}},
		"too deep":               {strings.Repeat("[", 1<<19), []string{"f:1: reading YAML: exceeded max depth of 10000"}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, outlined(t, tt.in)); diff != "" {
				t.Errorf("documents (-want +got):\n%s", diff)
			}
		})
	}
}

func TestJSONDocuments(t *testing.T) {
	const pod = "{\"apiVersion\": \"v1\",\n \"kind\": \"Pod\",\n \"metadata\": {\"name\": \"a\"}}"
	for name, tt := range map[string]struct {
		in   string
		want []string
	}{
		"one":                     {pod, []string{"1: v1 Pod/a"}},
		"one after another":       {pod + "\n\n" + pod + " " + pod, []string{"1: v1 Pod/a", "5: v1 Pod/a", "7: v1 Pod/a"}},
		"between YAML":            {"a: 1\n---\n" + pod + "\n---\nb: 2\n", []string{"1: skipped", "3: v1 Pod/a", "7: skipped"}},
		"surrogates, slashes":     {`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"\ud83d\ude00\/"}}`, []string{"1: v1 Pod/😀/"}},
		"a broken one":            {pod + "\n{\n\"a\": nul : :\n}\n" + pod + "\n", []string{"1: v1 Pod/a", "f:5: reading JSON: invalid character ' ' in literal null (expecting 'l')", "7: v1 Pod/a"}},
		"a broken one at the end": {pod + "\n{\"a\": [1,\n", []string{"1: v1 Pod/a", "f:4: reading JSON: unexpected EOF"}},
		"key twice": {"{\"a\": {\n\"b\": 1,\n\"\\u0062\": 2,\n \"b\" : {\"c\": 1, \"c\": 1}},\n\"apiVersion\": \"v1\", \"kind\": \"x\",\n\"kind\": \"Pod\", \"metadata\": {\"name\": \"a\"}}", []string{
			"1: v1 Pod/a", "twice: a.b.c, 4 and 4, the same", "twice: a.b, 2 and 4", "twice: kind, 5 and 6",
		}},
		"key twice in data": {"{\"a\": {\n\"b\": 1,\n\"b\": 2}}", []string{"1: skipped"}},
		"too deep":          {strings.Repeat(`{"a":`, 1<<17), []string{"f:1: reading JSON: invalid character '{' exceeded max depth"}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, outlined(t, tt.in)); diff != "" {
				t.Errorf("documents (-want +got):\n%s", diff)
			}
		})
	}
}

func TestLists(t *testing.T) {
	deep := strings.Repeat("{apiVersion: v1, kind: List, items: [", 10) + strings.Repeat("]}", 10)
	for name, tt := range map[string]struct {
		in   string
		want []string
	}{
		"YAML": {
			"apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Pod\n-\n  apiVersion: apps/v1\n  kind: Deployment\n",
			[]string{"4: v1 Pod/", "7: apps/v1 Deployment/"},
		},
		"JSON": {
			"{\"kind\":\"List\",\"apiVersion\":\"v1\",\n\"items\":[\n{\"apiVersion\":\"v1\",\"kind\":\"Pod\"},\n\n{\"apiVersion\":\"v1\",\n\"kind\":\"Service\"}]}",
			[]string{"3: v1 Pod/", "5: v1 Service/"},
		},
		"of one kind": {
			"apiVersion: apps/v1\nkind: DeploymentList\nmetadata: {}\nitems:\n- metadata: {name: a}\n- {}\n",
			[]string{"5: apps/v1 Deployment/a", "6: apps/v1 Deployment/"},
		},
		"empty":         {"apiVersion: v1\nkind: List\nitems: []\n---\napiVersion: v1\nkind: List\n---\napiVersion: v1\nkind: PodList\nitems: null\n", nil},
		"an object":     {"apiVersion: x/v1\nkind: AllowList\nmetadata: {name: a}\nitems: [b]\n", []string{"1: x/v1 AllowList/a"}},
		"within a List": {"apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: List\n  items:\n  - apiVersion: v1\n    kind: Pod\n", []string{"7: v1 Pod/"}},
		"not a list":    {"apiVersion: v1\nkind: List\nx: 1\nitems: 5\n", []string{"f:4: reading the items of a List: they are not a list"}},
		"items of no kind": {"apiVersion: v1\nkind: List\nitems:\n- a: 1\n- text\n- apiVersion: v1\n  kind: Pod\n", []string{
			"6: v1 Pod/", "f:4: items[0] of the List is not an object with apiVersion and kind", "f:5: items[1] of the List is not an object with apiVersion and kind",
		}},
		"too deep": {deep, []string{"f:1: more than 8 Lists within each other"}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, outlined(t, tt.in)); diff != "" {
				t.Errorf("documents (-want +got):\n%s", diff)
			}
		})
	}
}

func TestItemsOfOneKindAreNamed(t *testing.T) {
	in := Text{line: 1, content: 1, raw: []byte(`{"apiVersion":"v1","kind":"PodList","items":[{"spec":{}},{ }]}`), limit: DefaultLimit}
	var got []string
	for _, o := range in.Documents()[0].Objects {
		got = append(got, string(o.JSON))
	}
	want := []string{`{"apiVersion":"v1","kind":"Pod","spec":{}}`, `{"apiVersion":"v1","kind":"Pod"}`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("objects (-want +got):\n%s", diff)
	}
}
