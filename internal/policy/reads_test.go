package policy

import (
	"bytes"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/open-policy-agent/opa/v1/ast"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/forestall/forestall/internal/workload"
)

// list writes what is read as places. What only has to be there ends in a question mark.
func (r *reads) list(at string) []string {
	switch {
	case r.all:
		return []string{strings.TrimPrefix(at, ".")}
	case len(r.parts) == 0 && at != "":
		return []string{strings.TrimPrefix(at, ".") + "?"}
	}
	var all []string
	for _, name := range slices.Sorted(maps.Keys(r.parts)) {
		all = append(all, r.parts[name].list(at+"."+name)...)
	}
	return all
}

func TestReadsOf(t *testing.T) {
	const lib = "package forestall.lib.names\n\nbare if input.workload.bare\n\nowner(c) := input.workload.name if c.name == input.request.name\n"
	for _, tt := range []struct {
		name, body string
		want       []string
	}{
		{"a field", `report contains c.name if some c in input.containers`, []string{"containers.*.name"}},
		{"a key as text", `report contains input["pod"].spec.nodeName`, []string{"pod.spec.nodeName"}},
		{"nothing", `report contains "x" if data.forestall.none`, nil},
		{"through a library", `report contains "x" if names.bare`, []string{"workload.bare"}},
		{
			"through a function",
			"report contains names.owner(c) if some c in input.containers",
			[]string{"containers.*.name", "request.name", "workload.name"},
		},
		{"in a comprehension", `report contains count({s | some s in input.cluster.services})`, []string{"cluster.services.*"}},
		{"the whole", `report contains count(input)`, []string{""}},
		{"a computed key", "report contains input[k] if some k in {\"pod\"}", []string{"*"}},
		{"the whole in a local", "report contains doc.pod if doc := input", []string{""}},
		{"a part in a local", `report contains e.reason if { some c in input.containers; e := c.command.ends; e.state == "x" }`, []string{"containers.*.command"}},
		{"a part that is only there", `report contains "x" if { some c in input.containers; not c.command.ends == input.version }`, []string{"containers.*.command", "version"}},
		{
			"other containers", `report contains c.name if { some i, c in input.containers; c.image.text == input.containers[i].kind }`,
			[]string{"containers.*.image", "containers.*.kind", "containers.*.name"},
		},
		{"another name", `report contains d.name if { some c in input.containers; d := c; not c.ports }`, []string{"containers.*.name", "containers.*.ports"}},
		{"given to functions", `report contains f(c, 1) if some c in input.containers

f(x, n) := g(x.name, x.image) if n > 1 else := "x" if x.kind

g(_, y) := y.path`, []string{"containers.*.image", "containers.*.kind", "containers.*.name"}},
		{"compared by one name for two arguments", `report contains f(c, c) if some c in input.containers

f(x, x) := "same"`, []string{"containers.*"}},
		{"compared by one name for two parts", `report contains f(c.name, c.kind) if some c in input.containers

f(x, x) := "same"`, []string{"containers.*.kind", "containers.*.name"}},
		{"compared with an argument", `report contains f("web")

f(name) := c.kind if { some c in input.containers; c.name == name }`, []string{"containers.*.kind", "containers.*.name"}},
		{"compared with another argument", `report contains f(input.version)

f(version) := c.kind if { some c in input.containers; c.name == version }`, []string{"containers.*.kind", "containers.*.name", "version"}},
		{"compared with each other", `report contains "x" if { some c in input.containers; x := c.memory; y := c.cpu; x == y }`, []string{"containers.*.cpu", "containers.*.memory"}},
		{"bound twice", `report contains "x" if { some c in input.containers; some x; x = c.memory; x = c.cpu }`, []string{"containers.*.cpu", "containers.*.memory"}},
		{"bound to a constant as well", `report contains "x" if { some c in input.containers; some x; x = c.memory; x = {"a": 1} }`, []string{"containers.*.memory"}},
		{"in a list that is searched", `report contains "x" if { some c in input.containers; c.name in [input.version] }`, []string{"containers.*.name", "version"}},
		{"in a nested comprehension", `report contains [p.number | some c in input.containers; some p in c.ports.declared; p.name == c.name]`, []string{
			"containers.*.name", "containers.*.ports",
		}},
		{"returned by a rule", `report contains one.name

one := c if some c in input.containers`, []string{"containers.*"}},
		{"a key of a rule", `report contains keys[c] if some c in input.containers

keys[c].x := 1 if some c in input.containers`, []string{"containers.*"}},
		{"given to a built-in", `report contains object.get(c, "name", "") if some c in input.containers`, []string{"containers.*"}},
		{"in a list", `report contains f([c]) if some c in input.containers

f([x]) := x.name`, []string{"containers.*"}},
		{"taken apart", `report contains f(c) if some c in input.containers

f({"name": x}) := x`, []string{"containers.*"}},
		{"a computed part", `report contains c[k] if { some c in input.containers; some k in {"name"} }`, []string{"containers.*.*"}},
		{"the list", `report contains count(input.containers)`, []string{"containers"}},
		{"every", `report contains "x" if every c in input.containers { c.name }`, []string{"containers"}},
		{"the first", `report contains input.containers[0].name`, []string{"containers.*.name"}},
		{"by a computed place", `report contains input.containers[input.workload.replicas].name`, []string{"containers.*.name", "workload.replicas"}},
		{"a key of data", `report contains input.params["my-rule"].limit.bytes`, []string{"params.my-rule.limit"}},
		{"below a part", `report contains input.pod.metadata.labels.app`, []string{"pod.metadata.labels"}},
		{"only there", `report contains "x" if { some c in input.containers; y := c; x := [1 | z := y]; count(x) > 0 }`, []string{"containers.*?"}},
		{"a container in a set", `report contains count({c | some c in input.containers})`, []string{"containers.*"}},
		{"two containers compared", `report contains "x" if { some c in input.containers; some d in input.containers; c == d }`, []string{"containers.*"}},
		{"containers compared in a function", `report contains "x" if { some c in input.containers; some d in input.containers; f(c, d) }

f(c, d) if c == d`, []string{"containers.*"}},
		{"through two functions", `report contains f(c) if some c in input.containers

f(x) := g(x)

g(x) := h(x)

h(x) := x.cpu`, []string{"containers.*.cpu"}},
		{"a function of containers and of what is below", `report contains [f(c), f(c.image)] if some c in input.containers

f(x) := x.path`, []string{"containers.*.image", "containers.*.path"}},
		{"a computed place of a container", `report contains f(input.containers[input.workload.replicas]) if true

f(x) := x.cpu`, []string{"containers.*.cpu", "workload.replicas"}},
		{"with another input", `report contains "x" if { some c in input.containers; f(c) with input.version as c.kind }

f(x) if x.cpu`, []string{"containers.*.cpu", "containers.*.kind", "version"}},
		{"only counted", `report contains "x" if { some c in input.containers; x := [1 | y := c.ports]; count(x) > 0 }`, []string{"containers.*.ports"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, err := ast.CompileModules(map[string]string{
				"lib.rego":  lib,
				"rule.rego": "package forestall.rules[\"mine\"]\n\nimport data.forestall.lib.names\n\n" + tt.body + "\n",
			})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, flowOf(c).readsOf("mine").list("")); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestAnonymous(t *testing.T) {
	for name, want := range map[string]bool{
		"":                      false,
		"*":                     false,
		"containers":            true,
		"cluster.services":      true,
		"object":                false,
		"object.spec.replicas":  false,
		"request.operation":     true,
		"request.user":          false,
		"request.*":             false,
		"request":               false,
		"pod.spec.containers.*": true,
		"pod.*":                 false,
		"pod.metadata":          false,
		"pod.metadata.*":        false,
		"pod.metadata.labels":   true,
		"pod.metadata.labels.*": true,
		"pod.metadata.name":     false,
		"pod.metadata.uid":      false,
		"workload.kind":         true,
		"workload.name":         false,
		"workload":              false,
	} {
		read := &reads{}
		if name == "" {
			read.whole()
		} else {
			read.at(strings.Split(name, ".")).whole()
		}
		if got := read.anonymous(); got != want {
			t.Errorf("%s: %t", name, got)
		}
	}
	if !(&reads{}).anonymous() {
		t.Error("nothing: false")
	}
}

// TestAnonymousIsContent: a rule may read of the metadata what is written of an object for its
// digest, and nothing else.
func TestAnonymousIsContent(t *testing.T) {
	base := writtenOf(t, "")
	for _, f := range fieldsOf(reflect.TypeFor[metav1.ObjectMeta](), nil) {
		read := &reads{}
		read.at(place{"pod", "metadata", f.name()}).whole()
		if content := writtenOf(t, f.name()) != base; read.anonymous() != content {
			t.Errorf("%s: a rule may read it: %t; it is written: %t", f.name(), read.anonymous(), content)
		}
	}
}

// writtenOf is what is written of a Pod with one field of metadata.
func writtenOf(t *testing.T, field string) string {
	t.Helper()
	meta := ""
	if field != "" {
		meta = `"` + field + `":1`
	}
	var b bytes.Buffer
	if err := workload.WriteContent(&b, []byte(`{"kind":"Pod","metadata":{`+meta+`}}`)); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
