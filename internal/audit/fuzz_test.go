package audit

import (
	"bytes"
	"strings"
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
	} {
		f.Add([]byte(seed), "spec.containers[0].args[1]")
	}
	f.Fuzz(func(t *testing.T, in []byte, path string) {
		all := append(bytes.Clone(in), sentinel...)
		set := loaded(t, all)
		last := bytes.Count(all, []byte("\n"))
		for _, e := range set.Errors() {
			within(t, e.Source.Line, last)
			if strings.Contains(e.Err.Error(), "this is a bug") {
				t.Error(e)
			}
		}
		for i := range set.documents {
			d := &set.documents[i]
			for _, o := range d.objects {
				within(t, d.lines.line(o.raw, o.at, path), last)
			}
		}
		objects := set.Objects()
		for _, o := range objects {
			within(t, o.Source.Line, last)
		}
		if end := objects[len(objects)-1]; end.Subject.Name != "sentinel" || end.Source.Line != last-2 {
			t.Errorf("the last object is %s at line %d, not the sentinel at line %d", end.Subject.Name, end.Source.Line, last-2)
		}
		if diff := cmp.Diff(set.Errors(), loaded(t, all).Errors(), byText()); diff != "" {
			t.Errorf("errors differ the second time:\n%s", diff)
		}
	})
}

func loaded(t testing.TB, in []byte) *Set {
	t.Helper()
	set, err := Load(t.Context(), Options{Paths: []string{"-"}, Stdin: bytes.NewReader(in), MaxDocument: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func within(t testing.TB, line, last int) {
	t.Helper()
	if line < 1 || line > last {
		t.Errorf("line %d is not in the file, which has %d", line, last)
	}
}

// byText compares errors by what they say.
func byText() cmp.Option {
	return cmp.Transformer("text", func(e Error) string { return e.Error() })
}
