package manifest

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// sentinel is put behind every input: whatever stands before it must not hide it.
const sentinel = "\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: sentinel}\n"

func FuzzDocuments(f *testing.F) {
	for _, seed := range []string{
		"", pod, someYAML, someJSON, sentinel,
		pod + "---\n" + pod, "\ufeff---\r\na: 1\r\n...\r\nb: 2\r\n",
		"{\"a\":1}\n{\"a\":2} {\n}", "{\"kind\":\"List\",\"apiVersion\":\"v1\",\"items\":[{},1,{\"kind\":\"Pod\"}]}",
		"apiVersion: v1\nkind: PodList\nitems:\n- {}\n- metadata: {name: x}\n",
		"a: &a [1]\nb: *a\nc: {<<: {d: 1}, d: 2}\n", "a: &a [*a]\n", "a: 1\na: 2\n",
		"? {a: b}\n: c\n", "a: {{ .b }}\n", "a: |\n  x\n---\n%TAG ! x\n--- >\n  y\n",
		"a:\n\t- b\n", "a: \"b\nc: 'd\n", "a\rb: 1\r---\rc", "x: \xff", "\xff\xfea\x00",
		"a: !!binary \"####\"\n", "a: .inf\n", "null: 1\n1: 2\n", "a: [\n", "a: b: c\n", "- a\nb: c\n",
		pod + "a: {b: 1, b: [1], b: [1]}\na: {<<: {c: 1}, c: 2, c: 2}\nkind: Service\n", "a: !!python/name:b\nc: .nan\n",
		"{\"apiVersion\":\"v1\",\"kind\":\"x\",\n\"kind\":\"Pod\",\"a\":{\"b\\\"\":1,\n\"b\\\"\":{\"c\":1,\"c\":2},\"b\\\"\":3}}",
		"kind: Deployment\nspec: {template: {spec: {containers: [{image: \"{{ .a }}\"}]}}}\n",
		pod + "spec: {containers: [{image: \"{{ .a }}\", \"{% b %}\": \"${C}\", args: [\"{{ .Values.d }}\"]}]}\n",
		"apiVersion: v1\nkind: List\nitems: []\nitems:\n- {apiVersion: v1, kind: Pod, metadata: {name: a, name: \"${B}\"}}\n",
	} {
		f.Add([]byte(seed), "spec.containers[0].args[1]")
	}
	f.Fuzz(func(t *testing.T, in []byte, path string) {
		all := append(bytes.Clone(in), sentinel...)
		documents := read(t, all)
		last := bytes.Count(all, []byte("\n"))
		var end *Object
		var line int
		for i := range documents {
			d := &documents[i]
			for _, f := range d.Faults {
				within(t, f.Line, last)
			}
			for j := range d.Objects {
				for _, r := range d.Objects[j].Repeated {
					within(t, r.First, last)
					within(t, r.Last, last)
				}
				if !json.Valid(d.Objects[j].JSON) {
					t.Errorf("%q is no JSON", d.Objects[j].JSON)
				}
				end, line = &d.Objects[j], d.LineOf(&d.Objects[j], "")
				within(t, line, last)
				within(t, d.LineOf(end, path), last)
			}
			if diff := cmp.Diff(told(*d), told(again(t, *d))); diff != "" && !d.Skipped {
				t.Errorf("the document differs after it was kept:\n%s", diff)
			}
		}
		if end == nil || end.Name != "sentinel" || line != last-2 {
			t.Errorf("the last object is %v at line %d, not the sentinel at line %d", end, line, last-2)
		}
		if diff := cmp.Diff(outlined(t, string(all)), outlined(t, string(all))); diff != "" {
			t.Errorf("documents differ the second time:\n%s", diff)
		}
	})
}

func read(t testing.TB, in []byte) []Document {
	t.Helper()
	var all []Document
	for s := NewSplitter(bytes.NewReader(in), 1<<20); ; {
		next, err := s.Next()
		if err != nil {
			return all
		}
		all = append(all, next.Documents()...)
	}
}

func within(t testing.TB, line, last int) {
	t.Helper()
	if line < 1 || line > last {
		t.Errorf("line %d is not in the file, which has %d", line, last)
	}
}
