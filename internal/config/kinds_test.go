package config_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/config"
	"github.com/forestall/forestall/internal/workload"
)

// custom returns the custom kinds of a table.
func custom(table workload.Table) []string {
	var names []string
	for _, k := range table.Kinds() {
		if strings.Contains(k.Group, ".") {
			names = append(names, k.APIVersion()+" "+k.Kind+" "+k.TemplatePath)
		}
	}
	return names
}

// TestKinds: the webhook judges what the file names, audits all that is known besides.
func TestKinds(t *testing.T) {
	c, err := config.Parse("", []byte(head+`
kinds:
  - {group: argoproj.io, kind: Rollout}
  - group: apps.kruise.io
    kind: CloneSet
  - group: example.com
    version: v1
    kind: Fleet
    resource: fleets
    templatePath: spec.pods.template
    replicasPath: spec.size
    like: Deployment
    fills: [env]
`))
	if err != nil {
		t.Fatal(err)
	}
	named := []string{
		"argoproj.io/v1alpha1 Rollout spec.template",
		"apps.kruise.io/v1alpha1 CloneSet spec.template",
		"apps.kruise.io/v1beta1 CloneSet spec.template",
		"example.com/v1 Fleet spec.pods.template",
	}
	if diff := cmp.Diff(named, custom(c.Settings().Kinds)); diff != "" {
		t.Errorf("named (-want +got):\n%s", diff)
	}
	audited := custom(c.AuditSettings().Kinds)
	if diff := cmp.Diff(named, audited[:len(named)]); diff != "" {
		t.Errorf("audited (-want +got):\n%s", diff)
	}
	if want := len(workload.Known()) + 1; len(audited) != want {
		t.Errorf("an audit judges %d custom kinds, want %d: %v", len(audited), want, audited)
	}
	kinds := c.Settings().Kinds.Kinds()
	fleet := kinds[len(kinds)-1]
	want := workload.Kind{
		Group: "example.com", Version: "v1", Kind: "Fleet", Resource: "fleets", Like: "Deployment",
		TemplatePath: "spec.pods.template", SpecPath: "spec.pods.template.spec", ReplicasPath: "spec.size",
		Fills: workload.Fills{Env: true},
	}
	if diff := cmp.Diff(want, fleet); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestKindsOfNoFile(t *testing.T) {
	var c config.Configuration
	if got := custom(c.Settings().Kinds); got != nil {
		t.Errorf("without a file the webhook judges %v", got)
	}
	if got := custom(c.AuditSettings().Kinds); len(got) != len(workload.Known()) {
		t.Errorf("without a file an audit judges %v", got)
	}
}

// TestAKnownKindCanBeCorrected: where a template stands elsewhere, nothing else that was known of it holds.
func TestAKnownKindCanBeCorrected(t *testing.T) {
	c, err := config.Parse("", []byte(head+"kinds: [{group: serving.knative.dev, kind: Service, templatePath: spec.revision.template}]\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := []config.CustomKind{{
		Group: "serving.knative.dev", Version: "v1", Kind: "Service", Resource: "services",
		TemplatePath: "spec.revision.template", Like: "Deployment",
	}}
	if diff := cmp.Diff(want, c.CompletedKinds()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var services int
	for _, k := range custom(c.AuditSettings().Kinds) {
		if strings.HasPrefix(k, "serving.knative.dev/") {
			services++
		}
	}
	if services != 1 {
		t.Errorf("an audit knows %d kinds of Knative", services)
	}
}

// TestCompletedKindsAreAConfiguration: what config print writes means the same.
func TestCompletedKindsAreAConfiguration(t *testing.T) {
	c := config.Configuration{Kinds: []config.CustomKind{{Group: "serving.knative.dev", Kind: "Service"}, {Group: "apps.kruise.io", Kind: "DaemonSet"}}}
	again := config.Configuration{Kinds: c.CompletedKinds()}
	if len(again.Kinds) != 3 {
		t.Fatalf("%+v", again.Kinds)
	}
	if diff := cmp.Diff(c.Settings().Kinds.Kinds(), again.Settings().Kinds.Kinds()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestKindsAreChecked(t *testing.T) {
	const fleet = "  - group: example.com\n    version: v1\n    kind: Fleet\n    resource: fleets\n    templatePath: spec.template\n    like: Deployment\n"
	for _, tt := range []struct{ name, in, want string }{
		{"an unknown like", "kinds:\n" + strings.Replace(fleet, "Deployment", "Deploymint", 1), `line 9: kinds[0].like: "Deploymint" is not one of Deployment, `},
		{"a path that cannot be", "kinds:\n" + strings.Replace(fleet, "spec.template", "spec/template", 1), `line 8: kinds[0].templatePath: "spec/template" is not a path of field names`},
		{"a path through a list", "kinds:\n" + fleet + strings.Replace(strings.Replace(fleet, "Fleet", "Set", 1), "spec.template", "spec.jobs[0].template", 1), `line 14: kinds[1].templatePath: "spec.jobs[0].template" leads through a list`},
		{"a built-in kind", "kinds:\n- {group: apps, version: v1, kind: Deployment, resource: deployments, templatePath: spec.template, like: Deployment}\n", `line 4: kinds[0].kind: Deployment of apps/v1 is built in`},
		{"the same twice", "kinds:\n" + fleet + fleet, `line 12: kinds[1].kind: Fleet of example.com/v1 is there twice`},
		{
			"a known kind twice, once by its version", "kinds:\n- {group: apps.kruise.io, kind: CloneSet}\n- {group: apps.kruise.io, version: v1beta1, kind: CloneSet}\n",
			`line 5: kinds[1].kind: CloneSet of apps.kruise.io/v1beta1 is there twice`,
		},
		{"a field that there is not", "kinds:\n" + fleet + "    tempaltePath: x\n", `line 10: kinds[0].tempaltePath: there is no such field: did you mean templatePath?`},
		{"what it fills", "kinds:\n" + fleet + "    fills:\n    - env\n    - probe\n", `line 12: kinds[0].fills[1]: "probe" is not one of env, probes, images: did you mean probes?`},
		{"a version that is not known of a known kind", "kinds:\n- {group: argoproj.io, version: v1, kind: Rollout}\n", "line 4: kinds[0].resource: \"\" is not the plural"},
		{"one fault of all versions is told once", "kinds:\n- {group: apps.kruise.io, kind: CloneSet, like: Pod}\n", `line 4: kinds[0].like: "Pod" is not one of Deployment, StatefulSet, DaemonSet, ReplicaSet, Job, CronJob`},
		{"another type", "kinds: [{group: [a]}]\n", "line 3: kinds[0].group: a list cannot stand here"},
		{"no list", "kinds: {group: a}\n", "line 3: kinds: a mapping cannot stand here"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := config.Parse("", []byte(head+tt.in))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want an error with %q", err, tt.want)
			}
			if err != nil && strings.Count(err.Error(), tt.want) != 1 {
				t.Errorf("told more than once: %v", err)
			}
		})
	}
}
