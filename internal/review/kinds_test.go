package review_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/review"
	"github.com/forestall/forestall/internal/workload"
)

// withKinds judges the known kinds, and Fleets, which hold their template elsewhere.
func withKinds(t testing.TB) review.Settings {
	t.Helper()
	table, err := workload.NewTable(append(workload.Known(), workload.Kind{
		Group: "example.com", Version: "v1", Kind: "Fleet", Resource: "fleets",
		TemplatePath: "spec.pods.template", ReplicasPath: "spec.size", Like: "Deployment",
	})...)
	if err != nil {
		t.Fatal(err)
	}
	return review.Settings{Kinds: table, Params: map[string]map[string]any{"memory-limit-missing": {"defaultLimit": "128Mi"}}}
}

// as is the Deployment of the other tests as another kind.
func as(apiVersion, kind string) string {
	return strings.NewReplacer("apps/v1", apiVersion, "kind: Deployment", "kind: "+kind).Replace(deployment)
}

func fleet() string {
	return strings.NewReplacer("  template:", "  pods:\n   template:").Replace(as("example.com/v1", "Fleet"))
}

func TestReviewOfCustomKinds(t *testing.T) {
	const inTemplate = "spec.template.spec.containers[name=web].resources.limits.memory"
	rollout := as("argoproj.io/v1alpha1", "Rollout")
	limit := func(field string, l finding.Level, existing bool) verdict {
		return verdict{Findings: []found{{"memory-limit-missing", "web", field, l, existing}}}
	}
	for _, tt := range []struct {
		name        string
		op          review.Operation
		object, old string
		want        verdict
	}{
		{"a Rollout", review.Create, rollout, "", limit(inTemplate, finding.Deny, false)},
		{"a Rollout in an audit", review.Audit, rollout, "", limit(inTemplate, finding.Deny, false)},
		{
			"an update that is not to blame", review.Update, strings.Replace(rollout, "web:1", "web:2", 1), rollout,
			limit(inTemplate, finding.Warn, true),
		},
		{
			"an update of something else", review.Update, strings.Replace(rollout, "spec:\n", "spec:\n  replicas: 4\n", 1), rollout,
			verdict{Skipped: "the update changes nothing that rules judge"},
		},
		{
			"an update that brings the template", review.Update, rollout,
			"{apiVersion: argoproj.io/v1alpha1, kind: Rollout, metadata: {name: shop}, spec: {workloadRef: {name: x}}}",
			limit(inTemplate, finding.Deny, false),
		},
		{
			"an update that takes the template away", review.Update,
			"{apiVersion: argoproj.io/v1alpha1, kind: Rollout, metadata: {name: shop}, spec: {workloadRef: {name: x}}}", rollout,
			verdict{Skipped: "Rollout of argoproj.io/v1alpha1 has no pod template that is known"},
		},
		{"a CloneSet", review.Create, as("apps.kruise.io/v1alpha1", "CloneSet"), "", limit(inTemplate, finding.Deny, false)},
		{"a DaemonSet of another group", review.Create, as("apps.kruise.io/v1beta1", "DaemonSet"), "", limit(inTemplate, finding.Deny, false)},
		{"a Service of Knative", review.Create, as("serving.knative.dev/v1", "Service"), "", limit(inTemplate, finding.Deny, false)},
		{
			"a Service of the core has no template", review.Create, strings.Replace(as("v1", "Service"), "  selector: {matchLabels: {app: shop}}\n", "", 1), "",
			verdict{},
		},
		{
			"a DaemonSet of a group that nobody knows", review.Create, as("example.com/v1", "DaemonSet"), "",
			verdict{Skipped: "DaemonSet of example.com/v1 has no pod template that is known"},
		},
		{
			"a kind of the configuration", review.Create, fleet(), "",
			limit("spec.pods.template.spec.containers[name=web].resources.limits.memory", finding.Deny, false),
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d, err := reviewer(t, withKinds(t)).Review(t.Context(), subject(t, tt.op, tt.object, tt.old))
			if err != nil || len(d.Errors) > 0 {
				t.Fatal(err, d.Errors)
			}
			if diff := cmp.Diff(tt.want, verdictOf(d)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestCustomKindsAreNotJudgedUnlessNamed: the zero table holds the built-in kinds.
func TestCustomKindsAreNotJudgedUnlessNamed(t *testing.T) {
	d, err := reviewer(t, review.Settings{}).Review(t.Context(), subject(t, review.Create, as("argoproj.io/v1alpha1", "Rollout"), ""))
	if err != nil || d.Skipped != "Rollout of argoproj.io/v1alpha1 has no pod template that is known" {
		t.Errorf("%v, skipped %q", err, d.Skipped)
	}
}

func TestRepairOfCustomKinds(t *testing.T) {
	limits := map[string]any{"limits": map[string]any{"memory": "128Mi"}}
	for object, path := range map[string]string{
		as("argoproj.io/v1alpha1", "Rollout"): "/spec/template/spec/containers/0/resources",
		fleet():                               "/spec/pods/template/spec/containers/0/resources",
	} {
		r := reviewer(t, withKinds(t))
		s := subject(t, review.Create, object, "")
		got := decide(t, r, s).Repaired
		if len(got.Errors) > 0 {
			t.Fatal(got.Errors)
		}
		if diff := cmp.Diff([]finding.Operation{{Op: "add", Path: path, Value: limits}}, got.Patch); diff != "" {
			t.Errorf("%s (-want +got):\n%s", s.Kind.Kind, diff)
		}
	}
}

// TestTheLikeDecides: the same template runs on in one kind and ends in the other.
func TestTheLikeDecides(t *testing.T) {
	const container = `{name: a, image: "busybox:1.37", command: [%s], resources: {limits: {memory: 64Mi}}}`
	scaledJob := func(command, more string) string {
		return "{apiVersion: keda.sh/v1alpha1, kind: ScaledJob, metadata: {name: x}, spec: {jobTargetRef: {" + more +
			"template: {spec: {containers: [" + strings.Replace(container, "%s", command, 1) + "]}}}}}"
	}
	rollout := func(command string) string {
		return "{apiVersion: argoproj.io/v1alpha1, kind: Rollout, metadata: {name: x}, spec: {template: {spec: {containers: [" +
			strings.Replace(container, "%s", command, 1) + "]}}}}"
	}
	const ends, never = `echo, done`, `sleep, infinity`
	for _, tt := range []struct{ name, object, rule string }{
		{"a Rollout ends", rollout(ends), "command-exits"},
		{"a Rollout never ends", rollout(never), ""},
		{"a ScaledJob ends, and names no restart policy", scaledJob(ends, ""), ""},
		{"a ScaledJob never ends", scaledJob(never, ""), "command-never-ends"},
		{"a ScaledJob ends by its deadline", scaledJob(never, "activeDeadlineSeconds: 60, "), ""},
	} {
		d, err := reviewer(t, withKinds(t)).Review(t.Context(), subject(t, review.Create, tt.object, ""))
		if err != nil || len(d.Errors) > 0 {
			t.Fatal(tt.name, err, d.Errors)
		}
		var got []string
		for _, f := range d.Findings {
			if f.Level.AtLeast(finding.Warn) {
				got = append(got, f.Rule)
			}
		}
		if strings.Join(got, ", ") != tt.rule {
			t.Errorf("%s: %v, want %q", tt.name, got, tt.rule)
		}
	}
}

// TestKnativeFillsIn: what Knative sets is no evidence. The same in a Deployment has findings.
func TestKnativeFillsIn(t *testing.T) {
	const object = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: shop}
spec:
  template:
    metadata: {labels: {app: shop}}
    spec:
      containers:
        - image: web:1
          command: [sh, -c, "sleep $(PORT)"]
          args: ["$(PORT)"]
          resources: {limits: {memory: 64Mi}}
          readinessProbe: {httpGet: {path: /, port: http}}
          livenessProbe: {httpGet: {path: /, port: http}, periodSeconds: 1, failureThreshold: 1}
        - image: image:with:colons
          resources: {limits: {memory: 64Mi}}
`
	knative := strings.NewReplacer("apps/v1", "serving.knative.dev/v1", "kind: Deployment", "kind: Service").Replace(object)
	for text, want := range map[string]bool{object: true, knative: false} {
		d, err := reviewer(t, withKinds(t)).Review(t.Context(), subject(t, review.Create, text, ""))
		if err != nil || len(d.Errors) > 0 {
			t.Fatal(err, d.Errors)
		}
		if got := len(d.Findings) > 0; got != want {
			t.Errorf("%s: %+v", d.Object.Kind, verdictOf(d).Findings)
		} else if want {
			t.Logf("%+v", verdictOf(d).Findings)
		}
	}
}
