package manifest

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"go.yaml.in/yaml/v3"
)

// TestOutlinesOfManifests holds the outlines of the manifests of this project against what the
// parser says, and that nearly all of them have one.
func TestOutlinesOfManifests(t *testing.T) {
	var texts, without int
	for _, pattern := range []string{
		"../../policies/forestall/rules/*/testdata/*.yaml", "../../examples/*.yaml", "../../test/corpus/*/*.yaml",
	} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.Open(file)
			if err != nil {
				t.Fatal(err)
			}
			for s := NewSplitter(text, 0); ; {
				next, err := s.Next()
				if err != nil {
					break
				}
				texts++
				if !agreesWithParser(t, next.raw) {
					without++
				}
			}
			if err := text.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if texts < 100 || without > texts/10 {
		t.Errorf("%d of %d texts have no outline", without, texts)
	}
}

func TestOutline(t *testing.T) {
	for name, tt := range map[string]struct {
		in  string
		has bool
	}{
		"block style":                {"a: 1\nb:\n  c: d\n  e:\n  - f\n  - g: h\n    i: j\n", true},
		"list below its key":         {"a:\n- b: c\n- d\ne: f\n", true},
		"lists in lists":             {"a:\n- - b\n  - c\n- - d: e\n    f: g\n", true},
		"dash alone":                 {"a:\n-\n  b: c\n-\n  d\ne: f\n", true},
		"dash and a comment":         {"a:\n- # x\n  b: c\n", true},
		"nothing behind a dash":      {"a:\n-\n- b\n", false},
		"nothing behind the last":    {"a:\n-\n", false},
		"nothing":                    {"a:\nb: c\nd:\n", true},
		"text in a block":            {"a: |\n  b: \"\n\n  c: [\n   - d\ne: >-\n\n  f\n# g\nh: i\n", true},
		"text in a block, indented":  {"a:\n  b: |2\n      c: d\n    e: f\n  g: h\n", true},
		"text in a block in a list":  {"a:\n- |\n  b: {\n- c: |\n    d: '\n  e: f\n", true},
		"text over lines":            {"a: b\n  - c\n  \"d\n  e\nf: g\n", true},
		"text over lines, below":     {"a:\n  b\n  c\nd: e\n", true},
		"quoted text":                {"a: \"b: \\\" c\" # d\n'e': 'it''s'\n\"f\": g\n", true},
		"quoted text over lines":     {"a: \"b\nc: d\"\ne: f\n", false},
		"flow style":                 {"a: {b: [c, \"}\", it's], d: {}}\ne: []\n", true},
		"flow style over lines":      {"a: {b: c,\n  d: e}\nf: g\n", false},
		"comment in flow style":      {"a: [b, # ]\n  c]\nd: e\n", false},
		"anchors":                    {"a: &a\n  b: c\nd: *a\n", false},
		"tags":                       {"a: !!str 1\n", false},
		"merge keys":                 {"a:\n  <<: {b: c}\n", false},
		"explicit keys":              {"? a\n: b\n", false},
		"quotes in keys":             {"'a''b': c\n\"d\\n\": e\n", false},
		"keys of several words":      {"a b : c\n# d\ne/f.g: h\n1: i\n", true},
		"comments":                   {"# a\n---\n# b\na: # c\n  # d\n  e: f # g: h\n", true},
		"start marker with content":  {"--- {a: b}\n", false},
		"end marker":                 {"a: b\n...\n", true},
		"tabs":                       {"a:\tb\n", false},
		"Windows":                    {"a:\r\n  b: c\r\n  d:\r\n  - e\r\n", true},
		"line breaks of YAML":        {"a: b\u2028c: d\n", false},
		"colons":                     {"a: b:c\nd: http://e\nf:\n- g:h\n", true},
		"a value that begins with -": {"a: -1\nb:\n- -1\n- --c\n", true},
		"a scalar":                   {"text\n", true},
		"a list":                     {"- a: b\n  c: d\n- e\n", true},
	} {
		t.Run(name, func(t *testing.T) {
			if has := agreesWithParser(t, []byte(tt.in)); has != tt.has {
				t.Errorf("has an outline: %t, want %t", has, tt.has)
			}
		})
	}
}

// FuzzOutline holds outlines against the lines that the parser tells.
func FuzzOutline(f *testing.F) {
	for _, seed := range []string{
		someYAML, "a: |\n  b\n\n c\nd:\n- - e: 'f'\n    g: [h, \"i\"]\n  - j\n", "a:\n-\n  b\n- c: d\n  e: >2-\n     f\n   g\n",
		"'a' : b\n\"c\" :\n  - d\n  -  e: f\n     g: h # i\n...\n", "a: b\n  c\n\n  - d\ne:\n  f\n g\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		if _, _, err := (&Text{raw: in, limit: 1 << 20}).toJSON(); err == nil {
			agreesWithParser(t, in)
		}
	})
}

// agreesWithParser compares every line of an outline, where the text has one and can be read.
func agreesWithParser(t *testing.T, raw []byte) (has bool) {
	t.Helper()
	o := outlineOf(raw)
	root := parsed(raw)
	if o == nil || len(root.Content) == 0 {
		return o != nil
	}
	compareLines(t, raw, o, root.Content[0], root.Content[0], nil)
	return true
}

func compareLines(t *testing.T, raw []byte, o *outline, root, n *yaml.Node, steps []string) {
	t.Helper()
	paths := [][]string{steps, append(steps[:len(steps):len(steps)], "not there"), append(steps[:len(steps):len(steps)], "99")}
	for _, p := range paths {
		top := root
		if got, want := o.find(p), lineIn(top, p); got != want {
			t.Errorf("%q: %q: line %d, want %d", raw, p, got, want)
		}
	}
	for i, child := range n.Content {
		step := strconv.Itoa(i)
		if n.Kind == yaml.MappingNode {
			if i%2 == 0 {
				continue
			}
			step = n.Content[i-1].Value
		}
		compareLines(t, raw, o, root, child, append(steps[:len(steps):len(steps)], step))
	}
}
