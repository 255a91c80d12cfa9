package fix_test

import (
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/fix"
)

// FuzzApply changes any text in any place: that fails, or gives a text that says
// what it should, which Apply makes sure of itself, and that has lost nothing where
// something was only added.
func FuzzApply(f *testing.F) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for i := 0; i < len(archive.Files); i += 3 {
			f.Add(archive.Files[i].Data, uint(i))
		}
	}
	for _, seed := range []string{
		"a: &a {}\nb: *a\n", "? a\n: - b\n", "a: !!str\n", "a: !x &y\nb: \"\\\n", "{a: {b}, c: [d: e]}", "[a, {b: }]", "- - a\n  - b: c\n",
		"a: |1-\n  b\n\n c", "a:\rb: 1\r", "\ufeffa: {}", "a: 'b\n\n  c'\u2028d: e", "a: >+\n\n\n...\n", "{\"a\":[{}],\"b\":{\"c\":null}}", "a: {b: 'c\n#d' #e\n, f: g\n#}\n}",
		"%YAML 1.1\n--- \na: {}\n", "a: # b\n  # c\n", "a: b\n  c: d", "--- {a: b} # c\n", "a:\n- b\n-\n- c: d\n", "<<: {a: {}}\nb: {}\n",
		"a: {b: 1}\nc: 1\na:\n  d: 2\n  d: 3\n", "{\"a\": {\"b\": 1}, \"c\": 1, \"a\": {\"d\": 2, \"d\": 3}}",
	} {
		f.Add([]byte(seed), uint(0))
	}
	f.Fuzz(func(t *testing.T, text []byte, n uint) {
		if len(text) > 1<<12 {
			return
		}
		d, err := fix.Parse(text)
		if err != nil {
			return
		}
		all := fix.Everywhere(d)
		op := all[n%uint(len(all))]
		out, err := d.Apply([]fix.Change{{Patch: []finding.Operation{op}}})
		if err == nil && op.Op == "add" && !keeps(text, out) {
			t.Errorf("%s: the text has lost something:\n%q\n%q", op.Path, text, out)
		}
	})
}
