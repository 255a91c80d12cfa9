package e2e_test

import (
	"context"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/forestall/forestall/test/apiserver"
)

const existing = "existing"

// createBeforehand makes what is there before forestall comes: a Deployment and a
// Pod that it would have denied.
func createBeforehand(a *api) {
	a.namespace(existing, nil)
	for _, kind := range []string{"Deployment", "Pod"} {
		want(a.t, a.create(a.object(withoutLimit()[kind], existing)), "")
	}
}

// existingObjectsCanBeEdited: only what an update adds is denied.
func existingObjectsCanBeEdited(a *api) {
	const stillMissing = "forestall: web: no memory limit, it can take all memory of its node [memory-limit-missing]"
	for _, tt := range []struct {
		name, kind, patch string
		message           string
		warnings          []string
	}{
		{name: "scale", kind: "Deployment", patch: `{"spec":{"replicas":2}}`},
		{name: "label", kind: "Deployment", patch: `{"metadata":{"labels":{"a":"b"}}}`},
		{name: "finalizer", kind: "Deployment", patch: `{"metadata":{"finalizers":["example.com/x"]}}`},
		{name: "finalizer off", kind: "Deployment", patch: `{"metadata":{"finalizers":null}}`},
		{
			name: "image", kind: "Deployment", patch: `{"spec":{"template":{"spec":{"containers":[{"name":"web","image":"web:2"}]}}}}`,
			warnings: []string{stillMissing},
		},
		{
			name: "a container more", kind: "Deployment", patch: `{"spec":{"template":{"spec":{"containers":[{"name":"log","image":"log:1"}]}}}}`,
			message:  denied + `Deployment "web" can fail: log: no memory limit, it can take all memory of its node (1 problem)`,
			warnings: []string{stillMissing},
		},
		{name: "a limit at last", kind: "Deployment", patch: `{"spec":{"template":{"spec":{"containers":[{"name":"web","resources":{"limits":{"memory":"1Gi"}}}]}}}}`},
		{name: "pod label", kind: "Pod", patch: `{"metadata":{"labels":{"a":"b"}}}`, warnings: []string{stillMissing}},
		{name: "pod image", kind: "Pod", patch: `{"spec":{"containers":[{"name":"web","image":"web:2"}]}}`, warnings: []string{stillMissing}},
		{name: "pod finalizer", kind: "Pod", patch: `{"metadata":{"finalizers":["example.com/x"]}}`},
		{name: "pod finalizer off", kind: "Pod", patch: `{"metadata":{"finalizers":null}}`},
	} {
		got := a.merge(a.object(withoutLimit()[tt.kind], existing), tt.patch)
		if tt.message == "" && got.err != nil {
			a.t.Errorf("%s: %v", tt.name, got.err)
		}
		if tt.message != "" {
			want(a.t, got, tt.message)
		}
		if !slices.Equal(got.warnings, tt.warnings) {
			a.t.Errorf("%s: warnings %q, want %q", tt.name, got.warnings, tt.warnings)
		}
	}
	a.subresourcesAreLeftAlone()
}

// subresourcesAreLeftAlone: status, scale, eviction and deletion never come to the webhook.
func (a *api) subresourcesAreLeftAlone() {
	a.t.Helper()
	pod := a.object(withoutLimit()["Pod"], existing)
	got := a.do(func(ctx context.Context, c client.Client) error {
		return c.Status().Patch(ctx, pod, client.RawPatch("application/merge-patch+json", []byte(`{"status":{"message":"x"}}`)))
	})
	if got.err != nil || len(got.warnings) > 0 {
		a.t.Errorf("status: %v, warnings %q", got.err, got.warnings)
	}
	deployment := a.object(withoutLimit()["Deployment"], existing)
	got = a.do(func(ctx context.Context, c client.Client) error {
		scale := &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{"replicas": int64(1)}}}
		scale.SetGroupVersionKind(schema.GroupVersionKind{Group: "autoscaling", Version: "v1", Kind: "Scale"})
		return c.SubResource("scale").Update(ctx, deployment, client.WithSubResourceBody(scale))
	})
	if got.err != nil || len(got.warnings) > 0 {
		a.t.Errorf("scale: %v, warnings %q", got.err, got.warnings)
	}
	got = a.do(func(ctx context.Context, c client.Client) error {
		typed := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: existing, Name: pod.GetName()}}
		return c.SubResource("eviction").Create(ctx, typed, &policyv1.Eviction{DeleteOptions: &metav1.DeleteOptions{DryRun: []string{metav1.DryRunAll}}})
	})
	if got.err != nil || len(got.warnings) > 0 {
		a.t.Errorf("eviction: %v, warnings %q", got.err, got.warnings)
	}
	got = a.do(func(ctx context.Context, c client.Client) error {
		return c.Delete(ctx, a.object(withoutLimit()["Pod"], existing), client.GracePeriodSeconds(0))
	})
	if got.err != nil || len(got.warnings) > 0 {
		a.t.Errorf("delete: %v, warnings %q", got.err, got.warnings)
	}
}

// runningPodsAreJudged: what changes a bare Pod is denied where it brings a problem. What a
// person adds to look into a Pod is warned about at most.
func runningPodsAreJudged(a *api) {
	namespace := a.namespace("running", nil)
	pod := a.object(`{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {containers: [
		{name: web, image: "web:1", resources: {requests: {memory: 64Mi}, limits: {memory: 64Mi}}}]}}`, namespace)
	want(a.t, a.create(pod), "")
	debug := `{"spec":{"ephemeralContainers":[{"name":"debug","image":"busybox:1.37","command":["sleep 1000"]}]}}`
	resize := `{"spec":{"containers":[{"name":"web","resources":{"requests":{"memory":"128Mi"},"limits":{"memory":"128Mi"}}}]}}`
	for _, tt := range []struct {
		subresource, patch string
		warnings           []string
	}{
		{"resize", resize, nil},
		{"ephemeralcontainers", debug, []string{`forestall: debug: StartError, "sleep 1000" is a command line and not the name of a program [command-not-executable]`}},
	} {
		got := a.do(func(ctx context.Context, c client.Client) error {
			return c.SubResource(tt.subresource).Patch(ctx, pod.DeepCopy(), client.RawPatch("application/strategic-merge-patch+json", []byte(tt.patch)))
		})
		want(a.t, got, "")
		wantWarnings(a, got, tt.warnings...)
	}
	got := a.merge(pod.DeepCopy(), `{"spec":{"containers":[{"name":"web","image":"https://registry.example.com/Web"}]}}`)
	want(a.t, got, denied+`Pod "web" would fail: web: InvalidImageName`)
	got = a.do(func(ctx context.Context, c client.Client) error {
		tiny := `{"spec":{"containers":[{"name":"web","resources":{"requests":{"memory":"1Mi"},"limits":{"memory":"1Mi"}}}]}}`
		return c.SubResource("resize").Patch(ctx, pod.DeepCopy(), client.RawPatch("application/strategic-merge-patch+json", []byte(tiny)))
	})
	want(a.t, got, denied+`Pod "web" would fail: web: the container cannot start`)
}

// mirrorPodsAreLeftAlone: the kubelet runs them already, and only shows them.
func mirrorPodsAreLeftAlone(a *api) {
	pod := a.object(withoutLimit()["Pod"], a.namespace("mirror", nil))
	pod.SetAnnotations(map[string]string{corev1.MirrorPodAnnotationKey: "x"})
	pod.Object["spec"].(map[string]any)["nodeName"] = "node"
	want(a.t, a.create(pod.DeepCopy(), client.DryRunAll), denied)
	got := a.createAs("system:node:node", pod)
	want(a.t, got, "")
	wantWarnings(a, got)
}

// defaultLimitIsAdded: with a default configured the same objects are repaired.
func defaultLimitIsAdded(a *api) {
	hook, err := a.cluster.StartWebhook(a.t.Context(), apiserver.WebhookOptions{
		ConfigFile: a.configFile("rules: {memory-limit-missing: {params: {defaultLimit: 128Mi}}}\n"),
	})
	if err != nil {
		a.t.Fatal(err)
	}
	namespace := a.namespace("repaired", nil)
	a.podGainsRequest(namespace)
	limit := []string{"resources", "limits", "memory"}
	for _, tt := range []struct {
		kind  string
		path  []string
		owner schema.GroupVersionKind
		limit string
	}{
		{kind: "Deployment", path: []string{"spec", "template", "spec", "containers"}, limit: "128Mi"},
		{kind: "CronJob", path: []string{"spec", "jobTemplate", "spec", "template", "spec", "containers"}, limit: "128Mi"},
		{kind: "Pod", path: []string{"spec", "containers"}, limit: "128Mi"},
		// A patched ReplicaSet no longer matches its Deployment, which then makes another, for ever.
		{kind: "ReplicaSet", path: []string{"spec", "template", "spec", "containers"}, owner: schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}},
	} {
		o := a.object(withoutLimit()[tt.kind], namespace)
		if tt.owner.Kind != "" {
			o.SetOwnerReferences(ownedBy(tt.owner))
		}
		got := a.create(o, client.DryRunAll)
		if got.err != nil {
			a.t.Errorf("%s: %v", tt.kind, got.err)
			continue
		}
		containers, _, err := unstructured.NestedSlice(o.Object, tt.path...)
		if err != nil || len(containers) != 1 {
			a.t.Fatal(containers, err)
		}
		stored, _, err := unstructured.NestedString(containers[0].(map[string]any), limit...)
		if err != nil || stored != tt.limit {
			a.t.Errorf("%s: the stored limit is %q (%v), want %q", tt.kind, stored, err, tt.limit)
		}
		warning := "forestall: web: no memory limit, it can take all memory of its node [memory-limit-missing]"
		if tt.limit != "" {
			warning = "forestall: web: added resources.limits.memory: 128Mi [memory-limit-missing]"
		}
		wantWarnings(a, got, warning)
	}
	injectedContainersAreRepaired(a)
	limitRangesAreKeptTo(a)
	if a.t.Failed() {
		a.t.Logf("log of the webhook:\n%s", hook.Logs())
	}
}

// limitRangesAreKeptTo: a limit is not added where it is what keeps the pods from being
// created. The Deployment would be admitted, and nobody would tell why it has no pods.
func limitRangesAreKeptTo(a *api) {
	a.t.Helper()
	namespace := a.namespace("bounded", nil)
	least := &corev1.LimitRange{
		ObjectMeta: metav1.ObjectMeta{Name: "at-least", Namespace: namespace},
		Spec: corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{{
			Type: corev1.LimitTypeContainer,
			Min:  corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("512Mi")},
		}}},
	}
	if err := a.cluster.Client.Create(a.t.Context(), least); err != nil {
		a.t.Fatal(err)
	}
	a.eventually(func() error { // forestall watches LimitRanges
		got := a.create(a.object(withoutLimit()["Deployment"], namespace), client.DryRunAll)
		if strings.Contains(got.message(), `The default limit of 128Mi is not added: LimitRange "at-least" may refuse it.`) {
			return nil
		}
		return fmt.Errorf("the API server says %q, with the warnings %q", got.message(), got.warnings)
	})
	pod := a.object(withoutLimit()["Pod"], namespace)
	containers := []any{map[string]any{"name": "web", "image": "web:1", "resources": map[string]any{"limits": map[string]any{"memory": "128Mi"}}}}
	if err := unstructured.SetNestedSlice(pod.Object, containers, "spec", "containers"); err != nil {
		a.t.Fatal(err)
	}
	const refused = "minimum memory usage per Container is 512Mi, but"
	if got := a.create(pod, client.DryRunAll); !strings.Contains(got.message(), refused) {
		a.t.Errorf("a pod with the default limit: the API server says %q, want %q", got.message(), refused)
	}
}

// podGainsRequest: the API server makes a request of the limit that was added.
func (a *api) podGainsRequest(namespace string) {
	a.t.Helper()
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: namespace},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "web", Image: "web:1"}}},
	}
	if err := a.cluster.Client.Create(a.t.Context(), pod, client.DryRunAll); err != nil {
		a.t.Fatal(err)
	}
	if got := pod.Spec.Containers[0].Resources.Requests.Memory().String(); got != "128Mi" {
		a.t.Errorf("the memory request of the repaired pod is %s, want that of its limit, 128Mi", got)
	}
}

// withoutWebhookAllIsAdmitted: the process is gone, its registration is not.
func withoutWebhookAllIsAdmitted(a *api) {
	namespace := a.namespace("open", nil)
	hook, err := a.cluster.StartWebhook(a.t.Context(), apiserver.WebhookOptions{})
	if err != nil {
		a.t.Fatal(err)
	}
	pod := withoutLimit()["Pod"]
	want(a.t, a.create(a.object(pod, namespace), client.DryRunAll), denied)
	if err := hook.Terminate(a.t.Context()); err != nil {
		a.t.Fatal(err)
	}
	want(a.t, a.create(a.object(pod, namespace), client.DryRunAll), "")
}

func ownedBy(gvk schema.GroupVersionKind) []metav1.OwnerReference {
	controller := true
	return []metav1.OwnerReference{{
		APIVersion: gvk.GroupVersion().String(), Kind: gvk.Kind, Name: "owner", UID: "owner", Controller: &controller,
	}}
}

func wantWarnings(a *api, got answer, warnings ...string) {
	a.t.Helper()
	if !slices.Equal(got.warnings, warnings) {
		a.t.Errorf("warnings %q, want %q", got.warnings, warnings)
	}
}
