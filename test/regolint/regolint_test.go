package regolint

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// TestPolicies holds the rules, their libraries and their tests to the checks.
func TestPolicies(t *testing.T) {
	problems, err := Lint(os.DirFS(filepath.Join("..", "..", "policies")))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Error(p)
	}
}

// TestChecks holds what each check finds, and what it lets pass.
func TestChecks(t *testing.T) {
	long := strings.Repeat("x", lineMax)
	for _, tt := range []struct {
		name, module string
		want         []string
	}{
		{"names of rules and functions", "count := 1\njson(x) := x", []string{
			`3: shadowed-builtin: rule "count" is the name of a built-in`,
			`4: shadowed-builtin: rule "json" is the name of a built-in`,
		}},
		{"names of arguments and variables", "f(trim) := [y | some time in trim; y := time]\ng if {\n\tconcat := input.x\n\tconcat.y\n}\n" +
			"h if every max in input.x { max }", []string{
			`3: shadowed-builtin: argument "trim" is the name of a built-in`,
			`3: shadowed-builtin: variable "time" is the name of a built-in`,
			`5: shadowed-builtin: variable "concat" is the name of a built-in`,
			`8: shadowed-builtin: variable "max" is the name of a built-in`,
		}},
		{"what a loop goes through is no new name", "xs contains x if some x in count(input.x)", nil},
		{"names of imports", "import data.a.json\nimport data.b as time\n\nr := json.x + time.x", []string{
			`3: shadowed-builtin: import "json" is the name of a built-in`,
			`4: shadowed-builtin: import "time" is the name of a built-in`,
		}},
		{"results that are thrown away", "r if {\n\ttrim(input.x, \"a\")\n\tcount(input.x)\n}", []string{
			`4: unassigned-return: what trim returns is thrown away`,
			`5: unassigned-return: what count returns is thrown away`,
		}},
		{"results of functions of ours", "f(x) := x + 1\n\ng(x) if x > 1\n\nr if {\n\tf(1)\n\tg(1)\n\tnot g(2)\n}", []string{
			`8: unassigned-return: what f returns is thrown away`,
		}},
		{"results that are used", "r if {\n\tstartswith(input.x, \"a\")\n\tn := count(input.y)\n\tn > 1\n}", nil},
		{"not equal to any", "r if input.xs[_] != 1", []string{
			`3: not-equals-in-loop: input.xs[_] != 1 holds as soon as one element differs`,
		}},
		{"not equal to one", "r if {\n\tsome x in input.xs\n\tx != 1\n}", nil},
		{"conditions that decide nothing", "r if true\n\ns if {\n\t1 == 1\n\tinput.x\n}\n\nxs := [1 | true]", []string{
			`3: constant-condition: true decides nothing`,
			`6: constant-condition: 1 == 1 decides nothing`,
			`10: constant-condition: true decides nothing`,
		}},
		{"no condition", "r := 1\n\nf(_) := 2\n\ns := 1 if {\n\tinput.x\n} else := 2\n\nxs contains 3", nil},
		{"deprecated functions", "r := array.flatten(any([input.x]))", []string{`3: deprecated-builtin: any is deprecated`}},
		{"a rule named as its package", "bad := 1", []string{`3: package-name: rule "bad" has the name of its package`}},
		{"imports", "import data.a.b\nimport data.a.c\n\nr := c.x", []string{`3: unused-import: import "b" is not used`}},
		{"arguments", "f(x, y) := y\n\ng(x) := 1 if {\n\tinput.y\n} else := x\n\nh(x, x) := 1", []string{
			`3: unused-argument: argument "x" is not used`,
		}},
		{"the same rule twice", "r contains 1 if input.x\n\nr contains 2 if input.x\n\nr contains 1 if input.x", []string{
			`7: duplicate-rule: this rule stands in line 3 already`,
		}},
		{"arguments of sprintf", "r := sprintf(\"%s %d%%\", [input.x])\n\ns := sprintf(\"%s %d%%\", [input.x, 1])", []string{
			`3: sprintf-arguments: 2 verbs and 1 arguments: "%s %d%%"`,
		}},
		{"what is nobody else's", "import data.a\n\nr := a._b\n\ns := data.c._d.e\n\nx := a.b\n\n_own := x", []string{
			`5: leaked-internal: a._b is nobody else's`,
			`7: leaked-internal: data.c._d.e is nobody else's`,
		}},
		{"long lines", "# " + long + "\n#   - ref: https://example.com/" + long + "\nr := 1", []string{
			`3: line-length: 122 characters, at most 120`,
		}},
		{"long rules", "# METADATA\n# title: it does not count\n\n" + rulesOf(ruleMax), []string{
			`1: rule-length: 61 lines of Rego, at most 60`, // and the package
		}},
		{"rules of just that length", "# METADATA\n# title: it does not count\n\n" + rulesOf(ruleMax-1), nil},
		{"long files", strings.Repeat("\n", fileMax-2) + "r := 1", []string{`101: file-length: 101 lines, at most 100`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			problems, err := Lint(fstest.MapFS{"rule.rego": {Data: []byte("package bad\n\n" + tt.module + "\n")}})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, p := range problems {
				got = append(got, fmt.Sprintf("%d: %s: %s", p.Line, p.Check, p.Text))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestEveryCheckIsNamedOnce(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range checks() {
		if seen[c.name] {
			t.Errorf("two checks are named %s", c.name)
		}
		seen[c.name] = true
	}
}

func TestLintWantsRego(t *testing.T) {
	if _, err := Lint(fstest.MapFS{"bad.rego": {Data: []byte("package")}}); err == nil {
		t.Error("what cannot be read was linted")
	}
}

func rulesOf(lines int) string {
	var b strings.Builder
	for i := range lines {
		fmt.Fprintf(&b, "r%d := %d\n", i, i)
	}
	return strings.TrimSuffix(b.String(), "\n")
}
