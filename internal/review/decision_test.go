package review_test

import (
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/policy"
	"github.com/forestall/forestall/internal/review"
	"github.com/forestall/forestall/policies"
)

// rule is a rule for tests: it reports each container whose image makes its body true.
func rule(id, certainty, body string) string {
	return strings.NewReplacer("ID", id, "CERTAINTY", certainty, "BODY", body).Replace(`# METADATA
# title: A rule for tests
# description: It reports containers by their image.
# custom:
#   category: test
#   concern: test
#   certainty: CERTAINTY
#   judges:
#     - {of: container, fact: image, state: present}
#   failure: none
#   remediation: None.
#   since: v0.1.0
package forestall.rules["ID"]

import data.forestall.lib.result

report contains result.finding(rego.metadata.chain(), {
	"container": container.name,
	"path": container.image.path,
	"reason": "r", "what": "w", "why": "y", "fix": "f",
}) if {
	some container in input.containers
	BODY
}
`)
}

// alone is a rule whose findings share their cause with no other rule.
func alone(id, body string) string {
	return strings.Replace(rule(id, "certain", body), "concern: test", "concern: "+id, 1)
}

// withRules are the built-in rules that the filter lets pass, and others by id.
func withRules(t *testing.T, builtin func(path string) bool, rules map[string]string) fstest.MapFS {
	t.Helper()
	bundle := fstest.MapFS{}
	err := fs.WalkDir(policies.FS, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !builtin(path) {
			return err
		}
		raw, err := fs.ReadFile(policies.FS, path)
		bundle[path] = &fstest.MapFile{Data: raw}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for id, text := range rules {
		bundle["forestall/rules/"+id+"/rule.rego"] = &fstest.MapFile{Data: []byte(text)}
	}
	return bundle
}

// engine compiles rules for tests, by id, and no others.
func engine(t *testing.T, rules map[string]string) *policy.Engine {
	t.Helper()
	none := func(path string) bool {
		return slices.Contains([]string{policy.SchemaFile, "forestall/lib/result/result.rego", "forestall/rules/rules.rego"}, path)
	}
	e, err := policy.Load(t.Context(), withRules(t, none, rules))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestQuietFindingsHideNoDenial: two faults on two probes of one container are two findings.
func TestQuietFindingsHideNoDenial(t *testing.T) {
	const object = `
apiVersion: v1
kind: Pod
metadata: {name: shop}
spec:
  containers:
    - name: web
      image: registry.example.com/web:1
      args: [--port=9000]
      ports: [{containerPort: 9000}]
      resources: {limits: {memory: 64Mi}}
      readinessProbe: {httpGet: {port: http}}
      livenessProbe: {tcpSocket: {port: 8080}}
`
	r := reviewer(t, review.Settings{Levels: map[string]finding.Level{"probe-port-moved": finding.Deny, "probe-port-name-undefined": finding.Audit}})
	got := judge(t, r, subject(t, review.Create, object, ""))
	want := verdict{Findings: []found{
		{"probe-port-moved", "web", "spec.containers[name=web].livenessProbe.tcpSocket.port", finding.Deny, false},
		{"probe-port-name-undefined", "web", "spec.containers[name=web].readinessProbe.httpGet.port", finding.Audit, false},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestRatchet: what an update brings, and what it does not.
func TestRatchet(t *testing.T) {
	rules := map[string]string{
		"sure":   rule("sure", "certain", `container.image.text in {"a:1", "a:2"}`),
		"unsure": rule("unsure", "likely", `container.image.text == "a:2"`),
		// It gives no answer about b:1.
		"fragile": rule("fragile", "certain", `container.image.text in {"b:1", "b:2"}
	time.parse_rfc3339_ns({"b:1": "no time", "b:2": "2026-01-02T03:04:05Z"}[container.image.text]) > 0`),
	}
	r, err := review.New(review.Options{Engine: engine(t, rules), Settings: review.Settings{
		Levels: map[string]finding.Level{"sure": finding.Audit, "unsure": finding.Deny},
	}})
	if err != nil {
		t.Fatal(err)
	}
	with := func(image string) string { return strings.Replace(pod, "web:1", image, 1) }
	const field = "spec.containers[name=web].image"
	for _, tt := range []struct {
		name     string
		old, now string
		want     []found
	}{
		{"a denied fault behind a surer old one", "a:1", "a:2", []found{{"sure", "web", field, finding.Deny, false}}},
		{"an old fault alone", "a:2", "a:1", []found{{"sure", "web", field, finding.Audit, true}}},
		{"the rule gave no answer about the stored object", "b:1", "b:2", []found{{"fragile", "web", field, finding.Warn, true}}},
		{"a new fault", "c:1", "b:2", []found{{"fragile", "web", field, finding.Deny, false}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := judge(t, r, subject(t, review.Update, with(tt.now), with(tt.old)))
			if diff := cmp.Diff(verdict{Findings: tt.want}, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestStoredObjectIsAskedAboutOnlyForFindings: where the new object has none, nobody looks at the old one.
func TestStoredObjectIsAskedAboutOnlyForFindings(t *testing.T) {
	cache := review.NewCache()
	r := caching(t, nil, cache)(review.Settings{})
	healthy := strings.Replace(pod, `"web:1"}`, `"web:1", resources: {limits: {memory: 64Mi}}}`, 1)
	judge(t, r, subject(t, review.Update, healthy, pod))
	if got := cache.Counts().Misses; got != 1 {
		t.Errorf("%d objects were looked at, want 1", got)
	}
}

// TestRuleErrorsHaveTheirLevel, so that a failure mode can refuse what a rule at level deny said nothing about.
func TestRuleErrorsHaveTheirLevel(t *testing.T) {
	fragile := rule("fragile", "certain", `time.parse_rfc3339_ns(container.name) > 0`)
	for _, tt := range []struct {
		user   string
		object string
		want   finding.Level
	}{
		{"jane", pod, finding.Deny},
		{controller, owned(pod, "apps/v1", "ReplicaSet"), finding.Warn},
	} {
		r, err := review.New(review.Options{Engine: engine(t, map[string]string{"fragile": fragile})})
		if err != nil {
			t.Fatal(err)
		}
		s := subject(t, review.Create, tt.object, "")
		s.User = tt.user
		d, err := r.Review(t.Context(), s)
		if err != nil || len(d.Errors) != 1 || d.Errors[0].Level != tt.want {
			t.Errorf("%s: %+v, %v; want one error at level %s", tt.user, d.Errors, err, tt.want)
		}
	}
}

// TestTriggersOfNothing: an annotation by which nobody writes an image keeps no finding back, neither when the object is created nor when
// an update takes the faulty image along with it.
func TestTriggersOfNothing(t *testing.T) {
	const object = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: shop, annotations: {image.openshift.io/triggers: '[]'}}
spec:
  template:
    spec:
      containers:
        - {name: web, image: "Web:1", resources: {limits: {memory: 64Mi}}}
`
	r := reviewer(t, review.Settings{})
	want := verdict{Findings: []found{{"image-reference-invalid", "web", "spec.template.spec.containers[name=web].image", finding.Deny, false}}}
	for name, s := range map[string]review.Subject{
		"created": subject(t, review.Create, object, ""),
		"updated": subject(t, review.Update, object, strings.Replace(object, "Web:1", "web:1", 1)),
	} {
		if diff := cmp.Diff(want, judge(t, r, s)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestUpdatesOfWhatFactsRead are judged, also where the pod spec stays as it is.
func TestUpdatesOfWhatFactsRead(t *testing.T) {
	const object = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: shop}
spec:
  template:
    spec:
      containers:
        - {name: web, image: "Web:1", resources: {limits: {memory: 64Mi}}}
`
	triggered := strings.Replace(object, "{name: shop}", `{name: shop, annotations: {image.openshift.io/triggers: '[{"from":{"kind":"ImageStreamTag","name":"web:1"},"fieldPath":"spec.template.spec.containers[?(@.name==\"web\")].image"}]'}}`, 1)
	got := judge(t, reviewer(t, review.Settings{}), subject(t, review.Update, object, triggered))
	want := verdict{Findings: []found{{"image-reference-invalid", "web", "spec.template.spec.containers[name=web].image", finding.Deny, false}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
