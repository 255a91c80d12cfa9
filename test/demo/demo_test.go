package main

import "testing"

func TestExamplesSayWhatToExpect(t *testing.T) {
	examples, err := loadExamples("../../examples")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[outcome]bool{}
	for _, e := range examples {
		seen[e.expect], seen[e.withDefaultLimit] = true, true
	}
	for _, o := range outcomes() {
		if !seen[o] {
			t.Errorf("no example is expected to be %s", o)
		}
	}
}

func TestParseHeaderRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"no title":          "# expect: denied\nkind: Pod\n",
		"no expectation":    "# A pod.\nkind: Pod\n",
		"unknown outcome":   "# A pod.\n# expect: refused\n",
		"expected too late": "# A pod.\nkind: Pod\n# expect: denied\n",
		"unknown patch":     "# A pod.\n# expect: denied\n# with a default limit: fixed\n",
	} {
		if e, err := parseHeader("x.yaml", text); err == nil {
			t.Errorf("%s: accepted as %+v", name, e)
		}
	}
}

func TestClassify(t *testing.T) {
	const denial = `Error from server (Forbidden): error when creating "x.yaml": admission webhook "v" denied the request: text`
	for _, test := range []struct {
		name, output, diff string
		exit               int
		want               outcome
	}{
		{name: "denied", output: denial, exit: 1, want: denied},
		{name: "another error", output: "error: no such file", exit: 1, want: failed},
		{name: "patched", output: "Warning: added a limit\npod/x created", diff: "+x", want: patched},
		{name: "warned", output: "Warning: it will fail\npod/x created", want: warned},
		{name: "admitted", output: "pod/x created", want: admitted},
	} {
		if got := classify(test.output, test.exit, test.diff); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

func TestNormalKeepsOnlyWhatAPersonWrote(t *testing.T) {
	const first = `kind: Job
metadata:
  name: x
  uid: 11111111-aaaa
  namespace: default
  creationTimestamp: "2026-01-01T00:00:00Z"
spec:
  selector: {uid: 11111111-aaaa}
status: {}
---
kind: Service
metadata: {name: x, uid: 22222222-aaaa}
spec: {clusterIP: 10.0.0.1, clusterIPs: [10.0.0.1]}
`
	const second = `kind: Job
metadata: {name: x, uid: 33333333-aaaa, namespace: other}
spec: {selector: {uid: 33333333-aaaa}}
---
kind: Service
metadata: {name: x, uid: 44444444-aaaa}
spec: {clusterIP: 10.0.0.2, clusterIPs: [10.0.0.2]}
`
	a, err := normal(first)
	if err != nil {
		t.Fatal(err)
	}
	b, err := normal(second)
	if err != nil {
		t.Fatal(err)
	}
	if string(a) != string(b) {
		t.Errorf("differ:\n%s\n%s", a, b)
	}
}
