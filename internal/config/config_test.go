package config_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/config"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/review"
)

const head = "apiVersion: forestall.dev/v1alpha1\nkind: Configuration\n"

func TestParse(t *testing.T) {
	c, err := config.Parse("", []byte(head+`
mode: warn
failureMode: fail
policyVersion: v0.1.0
controllers: [system:serviceaccount:operators:*]
trustOwnerReferences: true
unfinished: refuse
hideNames: true
namespaces:
  kube-system: off
  team-*: audit
rules:
  command-exits: {level: audit, auditLevel: deny}
  liveness-restart-policy: {}
  memory-limit-missing: {params: {defaultLimit: 256Mi}}
`))
	if err != nil {
		t.Fatal(err)
	}
	want := review.Settings{
		Mode:          finding.Warn,
		PolicyVersion: "v0.1.0",
		Controllers:   []string{"system:serviceaccount:operators:*"}, TrustOwnerReferences: true, RefuseUnfinished: true, HideNames: true,
		Namespaces:  map[string]finding.Level{"kube-system": finding.Off, "team-*": finding.Audit},
		Levels:      map[string]finding.Level{"command-exits": finding.Audit},
		AuditLevels: map[string]finding.Level{"command-exits": finding.Deny},
		Params:      map[string]map[string]any{"liveness-restart-policy": nil, "memory-limit-missing": {"defaultLimit": "256Mi"}},
	}
	if diff := cmp.Diff(want, c.Settings()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if c.FailureMode != config.Fail {
		t.Errorf("failure mode %q", c.FailureMode)
	}
}

func TestParseRefuses(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"an unknown field", head + "modes: warn\n", "line 3: modes: there is no such field: did you mean mode?"},
		{
			"unknown fields below", head + "rules:\n  x:\n    levels: deny\n  y: {parms: {}}\n",
			"line 5: rules.x.levels: there is no such field: did you mean level?\n" +
				"line 6: rules.y.parms: there is no such field: did you mean params?",
		},
		{"a duplicate field", head + "mode: warn\nmode: deny\n", "line 4: mode: it is set in line 3 already"},
		{"an unknown mode", head + "\nmode: block\n", `line 4: mode: unknown level "block": it is one of off, audit, warn, deny`},
		{"an unknown level", head + "rules:\n  x: {level: loud}\n", `line 4: rules.x.level: unknown level "loud"`},
		{"an unknown level of audits", head + "rules:\n  x: {auditLevel: loud}\n", `line 4: rules.x.auditLevel: unknown level "loud"`},
		{"an unknown failure mode", head + "failureMode: open\n", `line 3: failureMode: unknown failure mode "open": it is ignore or fail`},
		{"an unknown word about unfinished ones", head + "mode: deny\nunfinished: deny\n", `line 4: unfinished: unknown word "deny": it is admit or refuse`},
		{"a namespace without a level", head + "namespaces:\n  a.b:\n", `line 4: namespaces.a.b: unknown level "nothing"`},
		{"another kind", "apiVersion: v1\nkind: ConfigMap\n", `line 1: apiVersion: apiVersion and kind are "v1" and "ConfigMap": they must be`},
		{"another type", head + "mode: [deny]\n", "line 3: mode: a list cannot stand here"},
		{"a list", "- a\n", "line 1: the configuration is a list: it must be a mapping"},
		{"no YAML", "a: b: c", "mapping values are not allowed"},
		{"two documents", head + "---\n" + head, "there is more than one document"},
		{"nothing", "", "the configuration is empty"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := config.Parse("", []byte(tt.in))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want an error with %q", err, tt.want)
			}
		})
	}
}

// TestParseSaysEverything: one mistake hides no other, and what could be read is read.
func TestParseSaysEverything(t *testing.T) {
	c, err := config.Parse("f.yaml", []byte(`
apiVersion: forestall.dev/v1alpha1
kind: [Configuration]
mode: loud
modes: warn
namespaces: {team-a: warn, team-a: audit, team-b: 3, team-c: off}
controllers: [a, 5, [b]]
hideNames: "yes"
rules:
  one: {level: high, auditLevel: warn, params: {a: 1, a: 2}}
  two: deny
  one: {level: warn}
  three: {levl: warn, level: warn}
kinds:
- {group: [x], version: v1}
- {group: example.com, version: v1, kind: Fleet, resource: fleets, templatePath: spec.template, like: Pod}
mode: deny
`))
	const want = `f.yaml:2: apiVersion: apiVersion and kind are "forestall.dev/v1alpha1" and "": they must be "forestall.dev/v1alpha1" and "Configuration"
f.yaml:3: kind: a list cannot stand here
f.yaml:4: mode: unknown level "loud": it is one of off, audit, warn, deny
f.yaml:5: modes: there is no such field: did you mean mode?
f.yaml:6: namespaces.team-a: it is set in line 6 already
f.yaml:6: namespaces.team-b: a number cannot stand here
f.yaml:7: controllers[1]: a number cannot stand here
f.yaml:7: controllers[2]: a list cannot stand here
f.yaml:8: hideNames: a string cannot stand here
f.yaml:10: rules.one.params.a: it is set in line 10 already
f.yaml:10: rules.one.level: unknown level "high": it is one of off, audit, warn, deny
f.yaml:11: rules.two: a string cannot stand here
f.yaml:12: rules.one: it is set in line 10 already
f.yaml:13: rules.three.levl: there is no such field: did you mean level?
f.yaml:15: kinds[0].group: a list cannot stand here
f.yaml:16: kinds[1].like: "Pod" is not one of Deployment, StatefulSet, DaemonSet, ReplicaSet, Job, CronJob
f.yaml:17: mode: it is set in line 4 already`
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
	if c.Rules["three"].Level != finding.Warn || c.Namespaces["team-c"] != finding.Off || c.Rules["one"].AuditLevel != finding.Warn {
		t.Errorf("what could be read: %+v", c)
	}
}

func TestLoad(t *testing.T) {
	if c, err := config.Load(""); err != nil || c.Mode != "" {
		t.Errorf("no file: %v, %v; want the zero Configuration", c, err)
	}
	missing := filepath.Join(t.TempDir(), "none.yaml")
	if _, err := config.Load(missing); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	file := filepath.Join(t.TempDir(), "forestall.yaml")
	for text, want := range map[string]string{
		head + "mode: block\n":                        file + ":3: mode: unknown level",
		head + "# " + strings.Repeat("x", 1<<20):      "is larger than 1048576 bytes",
		head + "rules: {x: {level: deny}}\nmood: a\n": file + ":4: mood: there is no such field",
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := config.Load(file); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// TestLocate because what only the rules can tell has its line, too.
func TestLocate(t *testing.T) {
	c, err := config.Parse("", []byte(head+"rules:\n  known: {level: deny}\n  unknown:\n    params: {a: 1}\n"))
	if err != nil {
		t.Fatal(err)
	}
	got := c.Locate(errors.Join(
		errors.New("rules.unknown: there is no such rule"),
		errors.New("rules.unknown.params.a: the rule has no such parameter"),
		errors.New("something else"),
	))
	const want = "line 5: rules.unknown: there is no such rule\n" +
		"line 6: rules.unknown.params.a: the rule has no such parameter\nsomething else"
	if got.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", got, want)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(head + "mode: warn\nnamespaces: {a: off}\nrules: {x: {level: deny, params: {a: [1, 2.5, null]}}}\n"))
	f.Add([]byte(head + "kinds: [{group: example.com, version: v1, kind: Fleet, resource: fleets, templatePath: spec.template, like: Job, fills: [env]}, []]\n"))
	f.Add([]byte("? {a: b}\n: *c\n"))
	f.Add([]byte("a: &a [*a]\n"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		c, err := config.Parse("", raw)
		if err == nil {
			c.Settings()
		} else if err.Error() == "" {
			t.Error("an error that says nothing")
		}
	})
}
