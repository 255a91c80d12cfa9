package policy

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/open-policy-agent/opa/v1/ast"
)

func TestReadsOf(t *testing.T) {
	const lib = "package forestall.lib.names\n\nbare if input.workload.bare\n\nowner(c) := input.workload.name if c.name == input.request.name\n"
	for _, tt := range []struct {
		name, body string
		want       sections
	}{
		{"a field", `report contains c.name if some c in input.containers`, sections{"containers": nil}},
		{"a key as text", `report contains input["pod"].spec.nodeName`, sections{"pod": {"spec": {}}}},
		{"nothing", `report contains "x" if data.forestall.none`, sections{}},
		{"through a library", `report contains "x" if names.bare`, sections{"workload": {"bare": {}}}},
		{
			"through a function",
			"report contains names.owner(c) if some c in input.containers",
			sections{"containers": nil, "request": {"name": {}}, "workload": {"name": {}}},
		},
		{"in a comprehension", `report contains count({s | some s in input.cluster.services})`, sections{"cluster": {"services": {}}}},
		{"the whole", `report contains count(input)`, nil},
		{"a computed key", "report contains input[k] if some k in {\"pod\"}", nil},
		{"the whole in a local", "report contains doc.pod if doc := input", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, err := ast.CompileModules(map[string]string{
				"lib.rego":  lib,
				"rule.rego": "package forestall.rules[\"mine\"]\n\nimport data.forestall.lib.names\n\n" + tt.body + "\n",
			})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, readsOf(c, "mine")); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestAnonymous(t *testing.T) {
	for name, tt := range map[string]struct {
		read sections
		want bool
	}{
		"nothing":                {sections{}, true},
		"all":                    {nil, false},
		"containers":             {sections{"containers": nil, "cluster": nil}, true},
		"the object":             {sections{"object": {"spec": {}}}, false},
		"the operation":          {sections{"request": {"operation": {}}}, true},
		"the user":               {sections{"request": {"operation": {}, "user": {}}}, false},
		"the whole request":      {sections{"request": nil}, false},
		"the pod's spec":         {sections{"pod": {"spec": {}}}, true},
		"the pod's labels":       {sections{"pod": {"metadata": {}}}, false},
		"the workload's kind":    {sections{"workload": {"kind": {}}}, true},
		"the name to be shown":   {sections{"workload": {"kind": {}, "name": {}}}, false},
		"a name and all of them": {sections{"workload": nil}, false},
	} {
		if got := tt.read.anonymous(); got != tt.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
