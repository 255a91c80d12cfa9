package review_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/forestall/forestall/internal/builtin"
	"github.com/forestall/forestall/internal/cluster"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/patch"
	"github.com/forestall/forestall/internal/review"
)

// controller is who creates Pods and ReplicaSets in a cluster.
const controller = "system:serviceaccount:kube-system:replicaset-controller"

const deployment = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: shop}
spec:
  selector: {matchLabels: {app: shop}}
  template:
    metadata: {labels: {app: shop}}
    spec:
      containers:
        - {name: web, image: "web:1"}
        - {name: cache, image: "cache:1", resources: {limits: {memory: 64Mi}}}
`

const pod = `
apiVersion: v1
kind: Pod
metadata: {name: shop}
spec:
  containers:
    - {name: web, image: "web:1"}
`

func reviewer(t testing.TB, s review.Settings) *review.Reviewer {
	t.Helper()
	r, err := builtin.Reviewer(t.Context(), s, cluster.OfFiles(true))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// subject reads an object from YAML; old is empty except on update.
func subject(t testing.TB, op review.Operation, object, old string) review.Subject {
	t.Helper()
	raw := toJSON(t, object)
	var head struct {
		APIVersion, Kind string
		Metadata         struct{ Name string }
	}
	if err := yaml.Unmarshal(raw, &head); err != nil {
		t.Fatal(err)
	}
	s := review.Subject{
		Operation: op, Kind: schema.FromAPIVersionAndKind(head.APIVersion, head.Kind),
		Namespace: "default", Name: head.Metadata.Name, Object: raw,
	}
	if old != "" {
		s.OldObject = toJSON(t, old)
	}
	return s
}

func toJSON(t testing.TB, y string) []byte {
	t.Helper()
	raw, err := yaml.YAMLToJSON([]byte(y))
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// owned returns the object with a controller.
func owned(object, apiVersion, kind string) string {
	ref := "metadata: {ownerReferences: [{apiVersion: " + apiVersion + ", kind: " + kind + ", name: o, uid: u, controller: true}], "
	return strings.Replace(object, "metadata: {", ref, 1)
}

// verdict is a Decision without its texts.
type verdict struct {
	Skipped  string
	Findings []found
}

type found struct {
	Rule, Container, Field string
	Level                  finding.Level
	Existing               bool
}

func verdictOf(d review.Decision) verdict {
	v := verdict{Skipped: d.Skipped}
	for _, f := range d.Findings {
		v.Findings = append(v.Findings, found{f.Rule, f.Container, f.Field, f.Level, f.Existing})
	}
	return v
}

func TestReview(t *testing.T) {
	const (
		rule     = "memory-limit-missing"
		inWeb    = "spec.template.spec.containers[name=web].resources.limits.memory"
		inCache  = "spec.template.spec.containers[name=cache].resources.limits.memory"
		inPodWeb = "spec.containers[name=web].resources.limits.memory"
	)
	web := func(l finding.Level, existing bool) []found { return []found{{rule, "web", inWeb, l, existing}} }
	podWeb := func(l finding.Level) []found { return []found{{rule, "web", inPodWeb, l, false}} }
	noCacheLimit := strings.Replace(deployment, ", resources: {limits: {memory: 64Mi}}", "", 1)
	for _, tt := range []struct {
		name     string
		settings review.Settings
		op       review.Operation
		object   string
		old      string
		sub      string
		user     string
		want     verdict
	}{
		{name: "creating a Deployment", op: review.Create, object: deployment, want: verdict{Findings: web(finding.Deny, false)}},
		{name: "auditing a Deployment", op: review.Audit, object: deployment, want: verdict{Findings: web(finding.Deny, false)}},
		{
			name: "an update that is not to blame", op: review.Update, old: deployment,
			object: strings.Replace(deployment, "web:1", "web:2", 1), want: verdict{Findings: web(finding.Warn, true)},
		},
		{
			name: "an update that reorders", op: review.Update, old: deployment,
			object: strings.Replace(deployment, "containers:\n", "containers:\n        - {name: first, image: \"f:1\", resources: {limits: {memory: 64Mi}}}\n", 1),
			want:   verdict{Findings: web(finding.Warn, true)},
		},
		{
			name: "an update that adds a problem", op: review.Update, old: deployment, object: noCacheLimit,
			want: verdict{Findings: []found{{rule, "cache", inCache, finding.Deny, false}, {rule, "web", inWeb, finding.Warn, true}}},
		},
		{
			name: "an update of something else", op: review.Update, old: deployment,
			object: strings.Replace(deployment, "spec:\n", "spec:\n  replicas: 0\n", 1),
			want:   verdict{Skipped: "the update changes nothing that rules judge"},
		},
		{
			name: "an update of a deadline", op: review.Update, old: deployment,
			object: strings.Replace(deployment, "spec:\n", "spec:\n  progressDeadlineSeconds: 5\n", 1),
			want:   verdict{Findings: web(finding.Warn, true)},
		},
		{
			name: "a finalizer leaves", op: review.Update, old: deployment,
			object: strings.Replace(strings.Replace(deployment, "web:1", "web:2", 1), "{name: shop}", `{name: shop, deletionTimestamp: "2026-01-01T00:00:00Z"}`, 1),
			want:   verdict{Skipped: "the update changes nothing that rules judge"},
		},
		{
			name: "a ReplicaSet of a Deployment", op: review.Create, user: controller,
			object: owned(strings.Replace(deployment, "kind: Deployment", "kind: ReplicaSet", 1), "apps/v1", "Deployment"),
			want:   verdict{Findings: web(finding.Warn, false)},
		},
		{name: "a bare Pod", op: review.Create, object: pod, want: verdict{Findings: podWeb(finding.Deny)}},
		{name: "a Pod of a ReplicaSet", op: review.Create, user: controller, object: owned(pod, "apps/v1", "ReplicaSet"), want: verdict{Findings: podWeb(finding.Warn)}},
		{name: "a Pod of an unknown kind", op: review.Create, object: owned(pod, "example.com/v1", "Robot"), want: verdict{Findings: podWeb(finding.Deny)}},
		{
			name: "an update of a bare Pod that adds a problem", op: review.Update, object: pod,
			old:  strings.Replace(pod, `"web:1"}`, `"web:1", resources: {limits: {memory: 64Mi}}}`, 1),
			want: verdict{Findings: podWeb(finding.Deny)},
		},
		{
			name: "an update of a Pod with an owner", op: review.Update, object: owned(pod, "apps/v1", "ReplicaSet"),
			old:  owned(strings.Replace(pod, `"web:1"}`, `"web:1", resources: {limits: {memory: 64Mi}}}`, 1), "apps/v1", "ReplicaSet"),
			want: verdict{Findings: podWeb(finding.Warn)},
		},
		{
			name: "kubectl debug", op: review.Update, object: pod, sub: "ephemeralcontainers",
			old:  strings.Replace(pod, `"web:1"}`, `"web:1", resources: {limits: {memory: 64Mi}}}`, 1),
			want: verdict{Findings: podWeb(finding.Warn)},
		},
		{
			name: "a mirror pod", op: review.Create, user: "system:node:a",
			object: strings.Replace(pod, "{name: shop}", `{name: shop, annotations: {kubernetes.io/config.mirror: x}}`, 1),
			want:   verdict{Skipped: "a mirror pod only shows what the kubelet runs already"},
		},
		{
			name: "a person writes the annotation of mirror pods", op: review.Create, user: "jane",
			object: strings.Replace(pod, "{name: shop}", `{name: shop, annotations: {kubernetes.io/config.mirror: x}}`, 1),
			want:   verdict{Findings: podWeb(finding.Deny)},
		},
		{
			name: "a Deployment is no mirror pod", op: review.Create, user: "system:node:a",
			object: strings.Replace(deployment, "{name: shop}", `{name: shop, annotations: {kubernetes.io/config.mirror: x}}`, 1),
			want:   verdict{Findings: web(finding.Deny, false)},
		},
		{name: "scaling", op: review.Update, object: deployment, sub: "scale", want: verdict{Skipped: "the subresource scale changes no pod template"}},
		{
			name: "a kind without pods", op: review.Create, object: "{apiVersion: v1, kind: ConfigMap, metadata: {name: c}}",
			want: verdict{Skipped: "ConfigMap of v1 has no pod template that is known"},
		},
		{
			name: "the mode caps", op: review.Create, object: deployment, settings: review.Settings{Mode: finding.Audit},
			want: verdict{Findings: web(finding.Audit, false)},
		},
		{
			name: "a rule is set to warn", op: review.Create, object: deployment,
			settings: review.Settings{Levels: map[string]finding.Level{rule: finding.Warn}},
			want:     verdict{Findings: web(finding.Warn, false)},
		},
		{
			name: "a rule is off", op: review.Create, object: deployment,
			settings: review.Settings{Levels: map[string]finding.Level{rule: finding.Off}},
			want:     verdict{},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := subject(t, tt.op, tt.object, tt.old)
			s.Subresource, s.User = tt.sub, tt.user
			d, err := reviewer(t, tt.settings).Review(t.Context(), s)
			if err != nil {
				t.Fatal(err)
			}
			if len(d.Errors) > 0 {
				t.Fatalf("rule errors: %v", d.Errors)
			}
			if diff := cmp.Diff(tt.want, verdictOf(d)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestRepair(t *testing.T) {
	withDefault := review.Settings{Params: map[string]map[string]any{"memory-limit-missing": {"defaultLimit": "128Mi"}}}
	limits := map[string]any{"limits": map[string]any{"memory": "128Mi"}}
	for _, tt := range []struct {
		name   string
		op     review.Operation
		object string
		want   []finding.Operation
	}{
		{"a Deployment", review.Create, deployment, []finding.Operation{{Op: "add", Path: "/spec/template/spec/containers/0/resources", Value: limits}}},
		{"a Pod of a ReplicaSet", review.Create, owned(pod, "apps/v1", "ReplicaSet"), []finding.Operation{{Op: "add", Path: "/spec/containers/0/resources", Value: limits}}},
		{"a ReplicaSet of a Deployment", review.Create, owned(strings.Replace(deployment, "kind: Deployment", "kind: ReplicaSet", 1), "apps/v1", "Deployment"), nil},
		{"a request above the default", review.Create, strings.Replace(pod, `"web:1"}`, `"web:1", resources: {requests: {memory: 1Gi}}}`, 1), nil},
		{"nothing to repair", review.Create, strings.Replace(pod, `"web:1"}`, `"web:1", resources: {limits: {memory: 1Gi}}}`, 1), nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := reviewer(t, withDefault)
			s := subject(t, tt.op, tt.object, "")
			got := decide(t, r, s).Repaired
			if len(got.Errors) > 0 {
				t.Fatal(got.Errors)
			}
			if diff := cmp.Diff(tt.want, got.Patch); diff != "" {
				t.Fatalf("(-want +got):\n%s", diff)
			}
			if len(got.Patch) == 0 {
				return
			}
			patched, err := patch.Apply(s.Object, got.Patch)
			if err != nil {
				t.Fatal(err)
			}
			again := s
			again.Object = patched
			after, err := r.Review(t.Context(), again)
			if err != nil || len(after.Findings) != 0 {
				t.Errorf("the patched object has findings: %v, %v", after.Findings, err)
			}
		})
	}
}

func TestUpdateRepairsOnlyWhatItChanged(t *testing.T) {
	r := reviewer(t, review.Settings{Params: map[string]map[string]any{"memory-limit-missing": {"defaultLimit": "128Mi"}}})
	changed := strings.Replace(strings.Replace(deployment, "web:1", "web:2", 1), ", resources: {limits: {memory: 64Mi}}", "", 1)
	s := subject(t, review.Update, changed, deployment)
	d, err := r.Review(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.Repair(t.Context(), s, d)
	if err != nil {
		t.Fatal(err)
	}
	want := []finding.Operation{{
		Op: "add", Path: "/spec/template/spec/containers/1/resources",
		Value: map[string]any{"limits": map[string]any{"memory": "128Mi"}},
	}}
	if diff := cmp.Diff(want, got.Patch); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestReviewOfWhatCannotBeRead(t *testing.T) {
	s := subject(t, review.Create, pod, "")
	s.Object = []byte(`{"apiVersion":"v1","kind":"Pod","spec":{"containers":"none"}}`)
	if _, err := reviewer(t, review.Settings{}).Review(t.Context(), s); err == nil {
		t.Error("an object that cannot be read has a decision")
	}
}

func TestNewRefuses(t *testing.T) {
	for _, tt := range []struct {
		name     string
		settings review.Settings
		want     string
	}{
		{"an unknown rule", review.Settings{Levels: map[string]finding.Level{"x": finding.Deny}}, "rules.x: there is no such rule"},
		{"an unknown parameter", review.Settings{Params: map[string]map[string]any{"command-exits": {"x": 1}}}, "rules.command-exits.params.x: the rule has no such parameter"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := builtin.Reviewer(t.Context(), tt.settings, nil)
			if err == nil || err.Error() != tt.want {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}
