package e2e_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/forestall/forestall/internal/workload"
)

const podSpec = `{containers: [{name: web, image: "web:1"}]}`

const template = `{metadata: {labels: {app: web}}, spec: ` + podSpec + `}`

// withoutLimit holds one object of each judged kind with the same fault.
func withoutLimit() map[string]string {
	selector := "selector: {matchLabels: {app: web}}, template: " + template
	job := strings.Replace(template, "containers:", "restartPolicy: Never, containers:", 1)
	return map[string]string{
		"Pod":                   "{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: " + podSpec + "}",
		"PodTemplate":           "{apiVersion: v1, kind: PodTemplate, metadata: {name: web}, template: " + template + "}",
		"ReplicationController": "{apiVersion: v1, kind: ReplicationController, metadata: {name: web}, spec: {selector: {app: web}, template: " + template + "}}",
		"ReplicaSet":            "{apiVersion: apps/v1, kind: ReplicaSet, metadata: {name: web}, spec: {" + selector + "}}",
		"Deployment":            "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {" + selector + "}}",
		"StatefulSet":           "{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: web}, spec: {serviceName: web, " + selector + "}}",
		"DaemonSet":             "{apiVersion: apps/v1, kind: DaemonSet, metadata: {name: web}, spec: {" + selector + "}}",
		"Job":                   "{apiVersion: batch/v1, kind: Job, metadata: {name: web}, spec: {template: " + job + "}}",
		"CronJob":               `{apiVersion: batch/v1, kind: CronJob, metadata: {name: web}, spec: {schedule: "0 3 * * *", jobTemplate: {spec: {template: ` + job + "}}}}",
	}
}

// everyKindIsJudged creates an object of every judged kind: each is denied, with the
// path of its own kind.
func everyKindIsJudged(a *api) {
	namespace := a.namespace("kinds", nil)
	objects := withoutLimit()
	for _, kind := range (workload.Table{}).Kinds() {
		text, ok := objects[kind.Kind]
		if !ok {
			a.t.Errorf("no object of kind %s is tried", kind.Kind)
			continue
		}
		got := a.create(a.object(text, namespace))
		want(a.t, got, denied+kind.Kind+` "web" can fail: web: no memory limit`)
		if path := kind.SpecPath + ".containers[0].resources.limits.memory"; !strings.Contains(got.message(), "where: "+path+"\n") {
			a.t.Errorf("%s: the message does not name %s:\n%s", kind.Kind, path, got.message())
		}
	}
}

// kubectlShowsTheReason holds what the person typing sees.
func kubectlShowsTheReason(a *api) {
	a.golden("three-problems.golden", a.apply("three-problems.yaml", 1))
	a.golden("liveness-on-failure.golden", a.apply("liveness-on-failure.yaml", 0))
	wantInReadme(a.t, a.apply("one-shot-command.yaml", 1))
}

// apply returns what kubectl prints for an example, as from the root of the repository.
func (a *api) apply(example string, code int) string {
	a.t.Helper()
	file := filepath.Join(root, "examples", example)
	stdout, stderr, exit := a.cluster.Kubectl(a.t.Context(), "apply", "-f", file)
	if exit != code {
		a.t.Errorf("kubectl apply of %s ends with %d, want %d", example, exit, code)
	}
	return strings.ReplaceAll(stdout+stderr, filepath.ToSlash(file), "examples/"+example)
}

// namesMayStillBeGenerated: the API server of this release makes the name before
// admission, older ones after it.
func namesMayStillBeGenerated(a *api) {
	namespace := a.namespace("generated", nil)
	pod := a.object(withoutLimit()["Pod"], namespace)
	pod.SetName("")
	pod.SetGenerateName("web-")
	want(a.t, a.create(pod), denied+`Pod "web-`)
}

// namespacesCanBeLeftOut by a label, without a call to the webhook.
func namespacesCanBeLeftOut(a *api) {
	namespace := a.namespace("left-out", map[string]string{"forestall.dev/mode": "off"})
	want(a.t, a.create(a.object(withoutLimit()["Pod"], namespace)), "")
}

// namespacesCanBeCapped by a label, which the webhook watches: what was denied warns.
func namespacesCanBeCapped(a *api) {
	namespace := a.namespace("capped", map[string]string{"forestall.dev/mode": "warn"})
	a.eventually(func() error {
		got := a.create(a.object(withoutLimit()["Pod"], namespace), client.DryRunAll)
		if got.err == nil && len(got.warnings) == 1 {
			return nil
		}
		return fmt.Errorf("the API server says %q with the warnings %q", got.message(), got.warnings)
	})
}

// replicaSetController is who creates Pods in a cluster.
const replicaSetController = "system:serviceaccount:kube-system:replicaset-controller"

// ownedObjectsAreNotDenied: their owner was judged, and a controller would retry for ever. Who only
// writes a reference to an owner is no controller.
func ownedObjectsAreNotDenied(a *api) {
	namespace := a.namespace("owned", nil)
	rs := a.object(withoutLimit()["ReplicaSet"], namespace)
	rs.SetOwnerReferences(ownedBy(schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}))
	got := a.createAs("system:serviceaccount:kube-system:deployment-controller", rs, client.DryRunAll)
	want(a.t, got, "")
	wantWarnings(a, got, "forestall: web: no memory limit, it can take all memory of its node [memory-limit-missing]")

	pod := a.object(withoutLimit()["Pod"], namespace)
	pod.SetOwnerReferences(ownedBy(schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "ReplicaSet"}))
	want(a.t, a.create(pod, client.DryRunAll), denied+`Pod "web" can fail: web: no memory limit`)
	pod.SetName("web-of-nobody")
	want(a.t, a.createAs(replicaSetController, pod), "") // and nobody is told, as there is no such owner
	rs.SetName("owner")
	want(a.t, a.createAs("system:serviceaccount:kube-system:deployment-controller", rs), "")
	pod = a.object(withoutLimit()["Pod"], namespace)
	refs := ownedBy(schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "ReplicaSet"})
	refs[0].UID = rs.GetUID()
	pod.SetOwnerReferences(refs)
	want(a.t, a.createAs(replicaSetController, pod), "")
	a.eventually(func() error { return a.ownersEvent(namespace) })

	pod = a.object(withoutLimit()["Pod"], namespace)
	pod.SetOwnerReferences(ownedBy(schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Robot"}))
	want(a.t, a.create(pod, client.DryRunAll), denied+`Pod "web" can fail: web: no memory limit`)
}

// ownersEvent looks for the one Event about what a controller has created; what was
// only tried has none.
func (a *api) ownersEvent(namespace string) error {
	var events corev1.EventList
	if err := a.cluster.Client.List(a.t.Context(), &events, client.InNamespace(namespace)); err != nil {
		return err
	}
	var got []string
	for i := range events.Items {
		e := &events.Items[i]
		got = append(got, fmt.Sprintf("%s %s/%s: %s: %s", e.Type, e.InvolvedObject.Kind, e.InvolvedObject.Name, e.Reason, e.Message))
	}
	want := []string{`Warning ReplicaSet/owner: FailurePredicted: Pod "web" can fail: web: no memory limit, it can take all memory of its node (1 problem). ` +
		`Fix: add resources: {limits: {memory: 256Mi}} to container "web", with its peak use plus a margin as the number. For a whole namespace: a LimitRange with a default. To be warned only: label the namespace forestall.dev/mode=warn, or set level: warn for this rule in forestall's configuration. ` +
		`More: forestall explain memory-limit-missing`}
	if !slices.Equal(got, want) {
		return fmt.Errorf("the events are %q, want %q", got, want)
	}
	return nil
}

// configFile writes a configuration for a webhook.
func (a *api) configFile(text string) string {
	a.t.Helper()
	file := filepath.Join(a.t.TempDir(), "forestall.yaml")
	if err := os.WriteFile(file, []byte("apiVersion: forestall.dev/v1alpha1\nkind: Configuration\n"+text), 0o600); err != nil {
		a.t.Fatal(err)
	}
	return file
}
