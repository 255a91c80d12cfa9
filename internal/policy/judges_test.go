package policy_test

import (
	"strings"
	"testing"

	"github.com/forestall/forestall/internal/facts"
	"github.com/forestall/forestall/internal/facts/fact"
	"github.com/forestall/forestall/internal/policy"
)

const params = `#   params:
#     cores: {type: integer, default: 2, description: Cores.}
#     size: {type: quantity, default: 1Gi, description: Bytes.}
#     label: {type: string, default: a, description: Text.}
`

// judging is a rule with params that judges what is given.
func judging(judgement string) string {
	return strings.NewReplacer(
		"{of: container, fact: image, state: present}", judgement, "#   since: v0.1.0\n", "#   since: v0.1.0\n"+params,
	).Replace(rule("x", "true"))
}

// What can never hold is an error when the rules are loaded, and the error says what there is.
func TestLoadRefusesJudgements(t *testing.T) {
	const numbers = `["cpu.request" "memory.demand" "memory.limit" "memory.request" "probes.duringStart"]`
	for _, tt := range []struct{ name, judgement, want string }{
		{"of nobody", "{fact: image, state: present}", `of is "": it is one of ["container" "manifest" "pod" "service" "workload"]`},
		{"of somebody unknown", "{of: node, fact: image, state: present}", `of is "node": it is one of ["container" "manifest" "pod" "service" "workload"]`},
		{"an unknown fact", "{of: workload, fact: image, state: present}", `unknown fact "image" of workload: it is one of ["outlastsDeadline" "unserved"]`},
		{"the unknown", "{of: pod, fact: activeDeadline, state: unknown}", `the state of activeDeadline is "unknown": a rule judges what is present or absent`},
		{
			"a fact without a number", "{of: container, fact: image, state: present, atLeast: cores}",
			"atLeast of image: the fact has no number: of the facts of container, these have one: " + numbers,
		},
		{
			"a fact of a subject without numbers", "{of: workload, fact: outlastsDeadline, state: present, atMost: cores}",
			"atMost of outlastsDeadline: the fact has no number: of the facts of workload, these have one: []",
		},
		{"the number of what is not there", "{of: container, fact: cpu.request, state: absent, atMost: cores}", "atMost of cpu.request: a fact that is absent has no number"},
		{
			"an unknown parameter", "{of: container, fact: cpu.request, state: present, atLeast: core}",
			`atLeast of cpu.request: the rule has no parameter "core": did you mean cores?`,
		},
		{
			"a parameter that is no number", "{of: container, fact: cpu.request, state: present, atLeast: label}",
			`atLeast of cpu.request: the parameter "label" is of type string: a number is of type integer or quantity`,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := policy.Load(t.Context(), rules(t, map[string]string{"x": judging(tt.judgement)}))
			want := "reading the catalogue: forestall/rules/x/rule.rego:17: METADATA custom.judges: " + tt.want
			if err == nil || err.Error() != want {
				t.Errorf("got  %v\nwant %s", err, want)
			}
		})
	}
	_, err := policy.Load(t.Context(), rules(t, map[string]string{
		"x": judging("{of: container, fact: image, state: present, above: cores}"),
	}))
	if want := `reading METADATA custom: json: unknown field "above"`; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
}

// A rule is asked where the number of a fact is within its parameters, the default or another one.
func TestAskedWithinParameters(t *testing.T) {
	for _, tt := range []struct {
		name, judgement string
		given           map[string]any
		want            bool
	}{
		{"the default", "{of: container, fact: cpu.request, state: present, atLeast: cores}", nil, false},
		{"as much", "{of: container, fact: cpu.request, state: present, atLeast: cores}", map[string]any{"cores": 1}, true},
		{"more", "{of: container, fact: cpu.request, state: present, atMost: cores}", map[string]any{"cores": float64(0)}, false},
		{"a quantity", "{of: container, fact: memory.limit, state: present, atMost: size}", nil, true},
		{"a smaller quantity", "{of: container, fact: memory.limit, state: present, atMost: size}", map[string]any{"size": "1Ki"}, false},
		{"no quantity", "{of: container, fact: memory.limit, state: present, atMost: size}", map[string]any{"size": ""}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := load(t, map[string]string{"x": judging(tt.judgement)})
			params, err := policy.Params(e.Rules(), map[string]map[string]any{"x": tt.given})
			if err != nil {
				t.Fatal(err)
			}
			var c facts.Container
			c.CPU.Request.State, c.CPU.Request.Cores = fact.Present, 1
			c.Memory.Limit.State, c.Memory.Limit.Bytes = fact.Present, 1<<20
			asked := e.Conditions(params).Asked(&facts.Facts{Containers: []facts.Container{c}})
			if got := len(asked) == 1; got != tt.want {
				t.Errorf("asked: %t", got)
			}
		})
	}
}
