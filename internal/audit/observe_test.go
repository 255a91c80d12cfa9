package audit

import (
	"context"
	"iter"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/forestall/forestall/internal/cluster"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/review"
)

// observedObjects are a source of objects of a running cluster, one in each batch.
type observedObjects []Object

func (o observedObjects) Counts() Summary { return Summary{Objects: len(o), Cluster: &Cluster{}} }

func (o observedObjects) Batches(context.Context) iter.Seq2[Batch, error] {
	return func(yield func(Batch, error) bool) {
		for i := range o {
			if !yield(Batch{Objects: o[i : i+1]}, nil) {
				return
			}
		}
	}
}

func inCluster(t *testing.T, kind schema.GroupVersionKind, text string) Object {
	t.Helper()
	raw, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return Object{Subject: review.Subject{Operation: review.Audit, Kind: kind, Namespace: "shop", Object: raw}, Observed: true}
}

const (
	idleDeployment = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: idle, namespace: shop}
spec:
  selector: {matchLabels: {app: idle}}
  template:
    metadata: {labels: {app: idle}}
    spec:
      containers:
        - {name: a, image: "busybox:1.37", command: [echo, hello]}
        - {name: b, image: "busybox:1.37", command: ["sleep 1000"], resources: {limits: {memory: 32Mi}}}
`
	idlePod = `
apiVersion: v1
kind: Pod
metadata: {name: idle-1, namespace: shop, labels: {app: idle}}
spec:
  containers:
    - {name: a, image: "busybox:1.37", command: [echo, hello]}
    - {name: b, image: "busybox:1.37", command: ["sleep 1000"], resources: {limits: {memory: 32Mi}}}
    - {name: injected, image: "busybox:1.37", command: [echo, hello], resources: {limits: {memory: 32Mi}}}
`
)

// TestRunObserved puts what a cluster reports beside the findings: one that happens, one that is only predicted, and a
// failure that nothing predicts. Of a pod only what its workload does not have is told.
func TestRunObserved(t *testing.T) {
	deployment := inCluster(t, schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}, idleDeployment)
	completed := finding.Symptom{Kind: finding.Terminated, Container: "a", Reason: "Completed", ExitCode: new(int32(0)), Pods: 2}
	restarts := finding.Symptom{Kind: finding.Restarts, Container: "a", Count: 4, Pods: 2}
	pull := finding.Symptom{Kind: finding.Waiting, Container: "b", Reason: "ImagePullBackOff", Pods: 1}
	deployment.Pods, deployment.Symptoms = 2, []finding.Symptom{completed, pull, restarts}
	pod := inCluster(t, schema.GroupVersionKind{Version: "v1", Kind: "Pod"}, idlePod)
	injected := finding.Symptom{Kind: finding.Waiting, Container: "injected", Reason: "InvalidImageName", Pods: 1}
	deployment.Symptoms = append(deployment.Symptoms, injected)
	pod.Symptoms = []finding.Symptom{pull, injected}
	pod.Pods, pod.Beside = 1, &finding.Object{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: "idle"}

	var got Result
	sum, err := Run{Reviewer: newReviewer(t, cluster.OfFiles(false)), Source: observedObjects{deployment, pod}, Sink: &got}.Do(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	type told struct {
		Object, Container, Rule string
		Status                  finding.Status
		Pods                    int
		Evidence                []finding.Symptom
	}
	var all []told
	for _, f := range got.Findings {
		all = append(all, told{f.Object.Name, f.Container, f.Rule, f.Status, f.Pods, f.Evidence})
	}
	want := []told{
		{"idle", "a", "command-exits", finding.Happening, 2, []finding.Symptom{completed, restarts}},
		{"idle", "b", "command-not-executable", finding.Predicted, 2, nil},
		{"idle", "a", "memory-limit-missing", finding.Predicted, 2, nil},
		{"idle-1", "injected", "command-exits", finding.Predicted, 1, nil},
	}
	if diff := cmp.Diff(want, all); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	troubles := []finding.Trouble{{
		Object: finding.Object{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: "idle"}, Container: "b", Pods: 1, Reason: "ImagePullBackOff",
		Known: "The image cannot be pulled: a name or tag that is not there, a registry that is not reached, or no right to it. " +
			"The event Failed has the registry's answer; see imagePullSecrets.",
		Evidence: []finding.Symptom{pull},
	}, {
		Object: finding.Object{APIVersion: "v1", Kind: "Pod", Namespace: "shop", Name: "idle-1"}, Container: "injected", Pods: 1, Reason: "InvalidImageName",
		Known: "The image reference cannot be read, so nothing is pulled. Look for upper case, spaces, a scheme or a placeholder that " +
			"nothing filled in.",
		Evidence: []finding.Symptom{injected},
	}}
	if diff := cmp.Diff(troubles, got.Troubles); diff != "" {
		t.Errorf("troubles (-want +got):\n%s", diff)
	}
	rules := []RuleEvidence{
		{Rule: "command-exits", Findings: 2, Happening: 1},
		{Rule: "command-not-executable", Findings: 1},
		{Rule: "memory-limit-missing", Findings: 1},
	}
	if diff := cmp.Diff(rules, sum.Cluster.Rules); diff != "" {
		t.Errorf("rules (-want +got):\n%s", diff)
	}
}
