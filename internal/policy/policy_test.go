package policy_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/budget"
	"github.com/forestall/forestall/internal/facts"
	"github.com/forestall/forestall/internal/facts/fact"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/policy"
	"github.com/forestall/forestall/policies"
)

const metadata = `# METADATA
# title: A synthetic rule
# description: For tests.
# custom:
#   category: test
#   concern: test
#   certainty: likely
#   judges:
#     - {of: container, fact: image, state: present}
#   failure: none
#   remediation: Change it.
#   since: v0.1.0
`

// rules returns a bundle with the shared library and the given rules.
func rules(t *testing.T, sources map[string]string) fs.FS {
	t.Helper()
	bundle := fstest.MapFS{}
	for _, shared := range []string{
		policy.SchemaFile, "forestall/lib/result/result.rego", "forestall/rules/rules.rego",
	} {
		raw, err := fs.ReadFile(policies.FS, shared)
		if err != nil {
			t.Fatal(err)
		}
		bundle[shared] = &fstest.MapFile{Data: raw}
	}
	for id, src := range sources {
		bundle["forestall/rules/"+id+"/rule.rego"] = &fstest.MapFile{Data: []byte(src)}
	}
	return bundle
}

// rule returns a rule that reports with the given body.
func rule(id, body string) string {
	return metadata + `package forestall.rules["` + id + `"]

import data.forestall.lib.result

report contains result.finding(rego.metadata.chain(), {
	"container": c.name, "path": c.path, "reason": "r", "what": "w", "why": "y", "fix": "f",
}) if {
	some c in input.containers
	` + body + `
}
`
}

func input() *policy.Input {
	return &policy.Input{
		Version: policy.InputVersion,
		Object:  []byte(`{}`),
		Containers: []facts.Container{
			{Name: "b", Kind: "regular", Path: "spec.containers[0]"},
			{Name: "a", Kind: "regular", Path: "spec.containers[1]"},
		},
	}
}

func load(t *testing.T, sources map[string]string) *policy.Engine {
	t.Helper()
	e, err := policy.Load(t.Context(), rules(t, sources))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func found(rule, container, path string) finding.Finding {
	return finding.Finding{
		Rule: rule, Level: finding.Warn, Certainty: finding.Likely, Category: "test", Failure: "none", Cause: "test",
		Container: container, Path: path, Reason: "r", What: "w", Why: "y", Fix: "f",
	}
}

func TestEvaluateKeepsRulesApart(t *testing.T) {
	e := load(t, map[string]string{
		"works":     rule("works", `c.kind == "regular"`),
		"conflicts": rule("conflicts", `v == 1`) + "v := 1\nv := 2 if input.version == \"v1\"\n",
		"builtin":   rule("builtin", `time.parse_rfc3339_ns(c.name) > 0`),
		"silent":    rule("silent", `c.kind == "init"`),
	})
	got, failed, err := e.Evaluate(t.Context(), new(budget.Budget), input(), e.Rules())
	if err != nil {
		t.Fatal(err)
	}
	want := []finding.Finding{
		found("works", "b", "spec.containers[0]"),
		found("works", "a", "spec.containers[1]"),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	if len(failed) != 2 {
		t.Fatalf("rule errors: %v, want those of builtin and conflicts", failed)
	}
	for i, want := range []struct{ rule, text string }{
		{"builtin", "time.parse_rfc3339_ns"},
		{"conflicts", "eval_conflict_error"},
	} {
		if failed[i].Rule != want.rule || !strings.Contains(failed[i].Error(), want.text) {
			t.Errorf("rule error %d: %v, want rule %s and %q", i, failed[i], want.rule, want.text)
		}
	}
}

func TestEvaluateStopsAtTheDeadline(t *testing.T) {
	e := load(t, map[string]string{
		"slow": rule("slow", `count([x | some x in numbers.range(1, 100000000)]) > 0`),
	})
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	got, failed, err := e.Evaluate(ctx, budget.New(ctx, budget.Unlimited), input(), e.Rules())
	if !errors.Is(err, context.DeadlineExceeded) || len(got) != 0 || len(failed) != 0 {
		t.Fatalf("got %v, %v, %v; want the end of the context", got, failed, err)
	}
}

// A spent budget leaves rules without an answer; those that have answered keep their findings,
// and no rule is at fault.
func TestEvaluateStopsWhereTheBudgetIsSpent(t *testing.T) {
	e := load(t, map[string]string{
		"first": rule("first", `c.kind == "regular"`),
		"slow":  rule("slow", `count([x | some x in numbers.range(1, 100000)]) > 0`),
		"then":  rule("then", `c.kind == "regular"`),
	})
	b := budget.New(t.Context(), 10_000)
	got, failed, err := e.Evaluate(t.Context(), b, input(), e.Rules())
	want := []finding.Finding{
		found("first", "b", "spec.containers[0]"),
		found("first", "a", "spec.containers[1]"),
	}
	if diff := cmp.Diff(want, got); diff != "" || len(failed) != 0 || err != nil || !b.IsSpent() {
		t.Errorf("rule errors %v, %v, budget %v; findings (-want +got):\n%s", failed, err, b.Err(), diff)
	}
}

func TestEvaluateUnknownRule(t *testing.T) {
	e := load(t, nil)
	_, failed, err := e.Evaluate(t.Context(), new(budget.Budget), input(), []policy.Rule{{ID: "gone"}})
	if err != nil {
		t.Fatal(err)
	}
	want := []policy.RuleError{{Rule: "gone", Err: errors.New("there is no such rule")}}
	if diff := cmp.Diff(want, failed, cmp.Comparer(func(a, b error) bool { return a.Error() == b.Error() })); diff != "" {
		t.Error(diff)
	}
}

// One Engine serves all requests at once.
func TestEvaluateInParallel(t *testing.T) {
	e := load(t, map[string]string{"works": rule("works", `c.kind == "regular"`)})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 20 {
				got, failed, err := e.Evaluate(t.Context(), new(budget.Budget), input(), e.Rules())
				if err != nil || len(failed) != 0 || len(got) != 2 {
					t.Errorf("got %v, %v, %v", got, failed, err)
				}
			}
		})
	}
	wg.Wait()
}

func TestAskedOnlyWhenAJudgementHolds(t *testing.T) {
	e := load(t, map[string]string{"works": rule("works", `c.kind == "regular"`)})
	for _, tt := range []struct {
		state fact.State
		want  int
	}{{fact.Present, 1}, {fact.Absent, 0}, {fact.Unknown, 0}} {
		var c facts.Container
		c.Image.State = tt.state
		observed := &facts.Facts{Containers: []facts.Container{c}}
		if got := len(e.Conditions(nil).Asked(observed)); got != tt.want {
			t.Errorf("image %s: %d rules are asked, want %d", tt.state, got, tt.want)
		}
	}
}

func TestLoadRefuses(t *testing.T) {
	for _, tt := range []struct {
		name, id, src, want string
	}{
		{"a syntax error", "x", "package forestall.rules[\"x\"]\nreport contains", "x/rule.rego:2"},
		{"no metadata", "x", "package forestall.rules[\"x\"]\nreport contains 1 if false\n", "rule x has no METADATA"},
		{"a typo in the input", "x", rule("x", `input.contianers`), "undefined ref: input.contianers"},
		{"the network", "x", rule("x", `http.send({"url": "http://example.com"})`), "undefined function http.send"},
		{"the environment", "x", rule("x", `opa.runtime().env`), "undefined function opa.runtime"},
		{"randomness", "x", rule("x", `rand.intn("a", 2) == 1`), "undefined function rand.intn"},
		{"an unknown fact", "x", strings.Replace(rule("x", `true`), "fact: image", "fact: imgae", 1), `unknown fact "imgae"`},
		{"judging the unknown", "x", strings.Replace(rule("x", `true`), "state: present", "state: unknown", 1), "a rule judges what is present or absent"},
		{"an unknown certainty", "x", strings.Replace(rule("x", `true`), "likely", "maybe", 1), `custom.certainty is "maybe"`},
		{"an unknown metadata field", "x", strings.Replace(rule("x", `true`), "#   since", "#   sience: now\n#   since", 1), `unknown field "sience"`},
		{"a missing remediation", "x", strings.Replace(rule("x", `true`), "#   remediation: Change it.\n", "", 1), "METADATA custom.remediation is missing"},
		{
			"a confirmation that says two things", "x",
			strings.Replace(rule("x", `true`), "#   remediation", "#   confirmedBy: [{event: BackOff, waiting: CrashLoopBackOff}]\n#   remediation", 1),
			"METADATA custom.confirmedBy[0]: it says several things at once: each is an entry of its own",
		},
		{
			"a confirmation, and why there is none", "x",
			strings.Replace(rule("x", `true`), "#   remediation", "#   confirmedBy: [{event: BackOff}]\n#   unconfirmed: it never happens\n#   remediation", 1),
			"METADATA custom has confirmedBy and unconfirmed",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := policy.Load(t.Context(), rules(t, map[string]string{tt.id: tt.src}))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want an error with %q", err, tt.want)
			}
		})
	}
}

func TestLoadWithoutSchema(t *testing.T) {
	_, err := policy.Load(t.Context(), fstest.MapFS{})
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v, want the missing schema", err)
	}
}
