package manifest

import "testing"

const someYAML = `# head
defaults: &defaults
  image: nginx
  env:
  - name: A
spec:
  containers:
  - name: api
    args:
    - serve
    - |
      long
      text
    resources: {}
  -
    <<: *defaults
    name: merged
  - *defaults
  nothing:
  "dotted.key/x": 1
  over:
    <<: [{b: 1, a: 2},
      *defaults]
    a: 3
`

func TestYAMLLines(t *testing.T) {
	for path, want := range map[string]int{
		"":                                      2,
		"kind":                                  2,
		"spec":                                  6,
		"spec.containers":                       7,
		"spec.containers[0]":                    8,
		"spec.containers[0].args":               9,
		"spec.containers[0].args[0]":            10,
		"spec.containers[0].args[1]":            11,
		"spec.containers[0].args[7]":            9,
		"spec.containers[0].resources.limits.x": 14,
		"spec.containers[0].restartPolicy":      8,
		"spec.containers[1]":                    16,
		"spec.containers[1].image":              3,
		"spec.containers[1].env[0].name":        5,
		"spec.containers[1].name":               17,
		"spec.containers[2]":                    18,
		"spec.containers[2].env[0]":             5,
		"spec.containers[2].command":            18,
		"spec.nothing.at.all":                   19,
		"spec[dotted.key/x]":                    20,
		"spec.over.a":                           24,
		"spec.over.b":                           22,
		"spec.over.image":                       3,
		"spec.containers[x].name":               7,
		"spec.containers[0]..x":                 2,
	} {
		y := &yamlLines{raw: []byte(someYAML), first: 1}
		if got := y.line(&Object{line: 2}, path); got != want {
			t.Errorf("%q: got line %d, want %d", path, got, want)
		}
	}
}

func TestYAMLLinesWithinAFile(t *testing.T) {
	y := &yamlLines{raw: []byte("---\nitems:\n- a: 1\n"), first: 40}
	if got := y.line(&Object{line: 41, At: "items[0]"}, "a.b"); got != 42 {
		t.Errorf("got line %d, want 42", got)
	}
}

const someJSON = `{"spec": {
  "containers":
  [
    {"name": "api",
     "args": ["a",
       "b"]},

    {"name":
      "web", "n": -1.5e3}
  ],
  "a.b": {"c": null}
}}`

func TestJSONLines(t *testing.T) {
	for path, want := range map[string]int{
		"":                              10,
		"kind":                          10,
		"spec.containers":               11,
		"spec.containers[0]":            13,
		"spec.containers[0].name":       13,
		"spec.containers[0].args[0]":    14,
		"spec.containers[0].args[1]":    15,
		"spec.containers[0].args[2]":    14,
		"spec.containers[0].command[0]": 13,
		"spec.containers[1]":            17,
		"spec.containers[1].name":       17,
		"spec.containers[1].n.x":        18,
		"spec[a.b].c.d":                 20,
	} {
		if got := new(jsonLines).line(&Object{JSON: []byte(someJSON), line: 10}, path); got != want {
			t.Errorf("%q: got line %d, want %d", path, got, want)
		}
	}
}

// One lookup after another sees the object that is asked about, and text that breaks off.
func TestJSONLinesOfSeveralObjects(t *testing.T) {
	var j jsonLines
	for _, tt := range []struct {
		raw, path string
		want      int
	}{
		{"{\"a\":\n1}", "a", 1},
		{"{\n\"a\": [\n1,\n2]}", "a[1]", 4},
		{"{\n\"a\": [\n1,\n", "a[0]", 3},
		{"", "a", 1},
		{"[\n1", "[0]", 2},
	} {
		if got := j.line(&Object{JSON: []byte(tt.raw), line: 1}, tt.path); got != tt.want {
			t.Errorf("%q in %q: got line %d, want %d", tt.path, tt.raw, got, tt.want)
		}
	}
}
