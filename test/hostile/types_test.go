package hostile

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/webhook"
)

const victim = "victim"

// full is the Pod of the test data.
func full(t *testing.T) map[string]any {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "full.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	return object(t, text)
}

// TestWrongTypes puts every type of value in the place of every value of a Pod. Both ways in
// agree on what can be read; nothing panics, no rule fails; and where the Pod is
// judged, what is wrong in one container hides nothing of another.
func TestWrongTypes(t *testing.T) {
	t.Parallel()
	pod := full(t)
	all := mutants(t, pod, places(pod, nil))
	results := byDocument(t, all)
	w := newWebhook(t)
	want := ofVictim(audited(t, encoded(t, pod)).Findings)
	if len(want) < 3 {
		t.Fatalf("the victim has the findings %v", want)
	}
	for i, m := range all {
		t.Run(m.String(), func(t *testing.T) {
			in := results[i]
			asked := ask(t, w, reviewOf("Pod", m.raw))
			agree(t, m, asked, in)
			if len(in.Errors) > 0 || !elsewhere(m.at) || m.leavesPart() {
				return
			}
			if diff := cmp.Diff(want, ofVictim(in.Findings)); diff != "" {
				t.Errorf("audit, findings of the other container (-want +got):\n%s", diff)
			}
			for _, f := range in.Findings {
				if cause := f.Rule + " at " + f.Path; f.Level == "deny" && !slices.Contains(asked.denied, cause) {
					t.Errorf("the webhook does not deny %s, only %q", cause, asked.denied)
				}
			}
		})
	}
}

// agree holds that both ways in can read the same objects. An audit reads files: it passes over what
// is of no kind, and refuses what is no text or no number in YAML. Of what it has judged it tells besides which
// fields the API server refuses.
func agree(t *testing.T, m mutant, asked answer, in audit.Result) {
	t.Helper()
	refused, unread := asked.outcome == webhook.OutcomeError, len(in.Errors) > 0 && len(in.Findings) == 0
	ofNoKind := len(m.at) == 1 && (m.at[0] == "kind" || m.at[0] == "apiVersion")
	onlyJSON := strings.Contains(m.value, "\xff") || m.value == "1e400"
	if refused && !unread && !ofNoKind || unread && !refused && !onlyJSON {
		t.Errorf("the webhook: %s; the audit: %v", asked.outcome, in.Errors)
	}
}

// elsewhere tells that nothing at a place bears on the victim: it is within another container.
func elsewhere(at place) bool {
	return len(at) > 3 && at[0] == "spec" && (at[1] == "initContainers" || at[1] == "containers" && at[2] == 0) && at[3] != "name"
}

// leavesPart tells that the mutant has a container without an image: in a file it is the part of an object.
func (m mutant) leavesPart() bool {
	return m.at[len(m.at)-1] == "image" && (m.value == "null" || m.value == `""`)
}

func ofVictim(findings []finding.Finding) []string {
	var all []string
	for _, f := range findings {
		if f.Container == victim {
			all = append(all, f.Rule+" at "+f.Path)
		}
	}
	return all
}

// byDocument audits all mutants in one run, and returns what is said of each.
func byDocument(t *testing.T, all []mutant) []audit.Result {
	t.Helper()
	var text bytes.Buffer
	for _, m := range all {
		text.Write(m.raw)
		text.WriteString("---\n")
	}
	result := audited(t, text.Bytes())
	split := make([]audit.Result, len(all))
	of := func(line int) *audit.Result {
		if line%2 == 0 {
			t.Errorf("line %d is between two documents", line)
		}
		return &split[line/2]
	}
	for _, f := range result.Findings {
		in := of(f.Source.Line)
		in.Findings = append(in.Findings, f)
	}
	for _, e := range result.Errors {
		in := of(e.Source.Line)
		in.Errors = append(in.Errors, e)
	}
	return split
}

// TestWrongTypesOfControllers does the same to what stands around the pod template, in the
// kinds that have most.
func TestWrongTypesOfControllers(t *testing.T) {
	t.Parallel()
	template := object(t, []byte(`{metadata: {labels: {app: shop}}, spec: {containers: [{name: victim, image: Shop/Victim, command: [sleep 1000]}]}}`))
	w := newWebhook(t)
	for _, manifest := range []string{`
apiVersion: apps/v1
kind: Deployment
metadata: &metadata
  name: shop
  namespace: shop
  labels: {app: shop}
  annotations: {a: b}
  ownerReferences: [{apiVersion: example.com/v1, kind: Shop, name: shop, uid: a, controller: true, blockOwnerDeletion: true}]
spec:
  replicas: 2
  minReadySeconds: 5
  revisionHistoryLimit: 1
  paused: false
  progressDeadlineSeconds: 60
  selector: {matchLabels: {app: shop}, matchExpressions: [{key: a, operator: In, values: [b]}]}
  strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 1, maxUnavailable: 25%}}
  template: {}
status: {replicas: 1, conditions: [{type: Available, status: "True"}]}
`, `
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: shop}
spec:
  replicas: 2
  serviceName: shop
  podManagementPolicy: OrderedReady
  updateStrategy: {type: RollingUpdate, rollingUpdate: {partition: 1, maxUnavailable: 1}}
  selector: {matchLabels: {app: shop}}
  volumeClaimTemplates: [{metadata: {name: claim}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}]
  template: {}
`, `
apiVersion: batch/v1
kind: CronJob
metadata: {name: shop}
spec:
  schedule: "* * * * *"
  timeZone: UTC
  suspend: false
  startingDeadlineSeconds: 10
  concurrencyPolicy: Forbid
  successfulJobsHistoryLimit: 1
  jobTemplate:
    metadata: {labels: {app: shop}}
    spec:
      activeDeadlineSeconds: 600
      backoffLimit: 3
      parallelism: 2
      completions: 2
      completionMode: Indexed
      ttlSecondsAfterFinished: 60
      podFailurePolicy: {rules: [{action: FailJob, onExitCodes: {containerName: web, operator: In, values: [1]}}]}
      template: {}
`} {
		document := object(t, []byte(manifest))
		kind, _ := document["kind"].(string)
		around := places(document, nil)
		at := around[slices.IndexFunc(around, func(p place) bool { return p[len(p)-1] == "template" })]
		all := mutants(t, with(document, at, template), around)
		results := byDocument(t, all)
		for i, m := range all {
			t.Run(kind+" "+m.String(), func(t *testing.T) {
				in := results[i]
				asked := ask(t, w, reviewOf(kind, m.raw))
				agree(t, m, asked, in)
			})
		}
	}
}

// TestWrongReviews puts every type of value in the place of every value of a review.
func TestWrongReviews(t *testing.T) {
	t.Parallel()
	document := object(t, reviewOf("Pod", encoded(t, full(t))))
	request, _ := document["request"].(map[string]any)
	request["oldObject"], request["dryRun"], request["subResource"] = map[string]any{}, false, ""
	request["userInfo"] = map[string]any{"username": "ada", "groups": []any{"a"}, "extra": map[string]any{"a": []any{"b"}}}
	request["options"] = map[string]any{"apiVersion": "meta.k8s.io/v1", "kind": "CreateOptions"}
	around := slices.DeleteFunc(places(document, nil), func(p place) bool { return len(p) > 2 && p[1] == "object" })
	w := newWebhook(t)
	for _, m := range mutants(t, document, around) {
		t.Run(m.String(), func(t *testing.T) {
			if got := post(t, w, webhook.ValidatePath, m.raw); got.Code == 400 {
				if !strings.HasPrefix(got.Body.String(), "forestall: ") {
					t.Errorf("the reason is %q", got.Body)
				}
				return
			}
			ask(t, w, m.raw)
		})
	}
}
