package review_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/forestall/forestall/internal/builtin"
	"github.com/forestall/forestall/internal/cluster"
	"github.com/forestall/forestall/internal/review"
	"github.com/forestall/forestall/policies"
)

// growAlone are the rules whose own manifests cannot be multiplied, with the shape that makes them grow.
func growAlone() map[string]string {
	return map[string]string{
		"field-repeated":                  "fields that stand twice",
		"field-unknown":                   "fields that nobody knows",
		"kind-not-served":                 "an object of a version that was removed",
		"service-selects-nothing":         "a selector that selects nothing",
		"service-target-port-undefined":   "ports that lead nowhere",
		"sidecar-readiness-gates-service": "gates and the ports of Services",
	}
}

// TestRulesGrow holds the growth of every rule while it finds something: the containers of the manifest that shows its failure
// stand in it 10, 100 and 1,000 times. A rule that comes later is held by its own manifest.
func TestRulesGrow(t *testing.T) {
	rules, err := builtin.RulesOf(t.Context(), policies.FS)
	if err != nil {
		t.Fatal(err)
	}
	engine, err := builtin.Engine(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	alone := growAlone()
	for _, rule := range engine.Rules() {
		t.Run(rule.ID, func(t *testing.T) {
			s, ok := shapeOf(t, rules, rule.ID)
			if name := alone[rule.ID]; name != "" {
				at := slices.IndexFunc(shapes(), func(s shape) bool { return s.name == name })
				s, ok = shapes()[at], true
				s.sizes = s.sizes[:len(s.sizes)-1] // TestGrowth has the largest
			}
			if !ok {
				t.Fatal("none of its manifests shows it ten times: name a shape in growAlone")
			}
			if fired := s.grow(t, rules); !slices.Contains(fired, rule.ID) {
				t.Errorf("found in some sizes alone: %v", fired)
			}
		})
	}
}

// shapeOf multiplies the first of a rule's manifests that still shows its failure then.
func shapeOf(t *testing.T, rules *builtin.Rules, rule string) (shape, bool) {
	t.Helper()
	files, err := filepath.Glob("../../policies/forestall/rules/" + rule + "/testdata/fail-*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal("no manifests", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var others []string
		var docs []map[string]any
		for doc := range bytes.SplitSeq(text, []byte("\n---\n")) {
			var o map[string]any
			if err := yaml.Unmarshal(doc, &o); err != nil || o["kind"] == nil || strings.HasSuffix(file, ".patched.yaml") || strings.HasSuffix(file, ".suggested.yaml") {
				continue
			}
			docs, others = append(docs, o), append(others, asJSON(t, o))
		}
		for _, o := range docs {
			s := shape{name: file, sizes: []int{10, 100, 1000}, objects: func(int) []string { return others }, object: func(n int) string { return multiplied(t, o, n) }}
			if _, fired := s.cost(t, rules, 10); slices.Contains(fired, rule) {
				return s, true
			}
		}
	}
	return shape{}, false
}

func asJSON(t *testing.T, o any) string {
	t.Helper()
	text, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// multiplied is the object with n times its containers, each with a name of its own.
func multiplied(t *testing.T, o map[string]any, n int) string {
	t.Helper()
	o = maps.Clone(o)
	within := o
	for {
		spec, _ := within["spec"].(map[string]any)
		if spec == nil {
			return asJSON(t, o)
		}
		spec = maps.Clone(spec)
		within["spec"] = spec
		for _, list := range []string{"initContainers", "containers"} {
			if containers, ok := spec[list].([]any); ok {
				spec[list] = times(containers, n)
			}
		}
		next := ""
		for _, key := range []string{"template", "jobTemplate"} {
			if _, ok := spec[key].(map[string]any); ok {
				next = key
			}
		}
		if next == "" {
			return asJSON(t, o)
		}
		within = maps.Clone(spec[next].(map[string]any))
		spec[next] = within
	}
}

func times(containers []any, n int) []any {
	all := make([]any, 0, n*len(containers))
	for i := range n {
		for _, c := range containers {
			one := maps.Clone(c.(map[string]any))
			one["name"] = fmt.Sprint(one["name"], "-", i)
			all = append(all, one)
		}
	}
	return all
}

// add puts an object into the store, as an audit does with those that it has read.
func add(t *testing.T, store *cluster.Store, object string) {
	t.Helper()
	of := subject(t, review.Audit, object, "")
	if err := store.Add(of.Kind.GroupVersion().String(), of.Kind.Kind, []byte(object)); err != nil {
		t.Fatal(err)
	}
}
