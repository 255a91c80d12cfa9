package e2e_test

import (
	"context"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// workloads are sound objects by kind. %s is the image.
func workloads() map[string]string {
	const template = `{metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: "%s", resources: {limits: {memory: 64Mi}}}]}}`
	const spec = `{selector: {matchLabels: {app: web}}, template: ` + template + `}`
	return map[string]string{
		"Pod":         `{apiVersion: v1, kind: Pod, metadata: {name: web}, ` + strings.TrimPrefix(template, "{metadata: {labels: {app: web}}, "),
		"Deployment":  `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: ` + spec + `}`,
		"StatefulSet": `{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: web}, spec: ` + spec + `}`,
		"CronJob": `{apiVersion: batch/v1, kind: CronJob, metadata: {name: web}, spec: {schedule: "0 0 1 1 *", jobTemplate: {spec: {template: ` +
			strings.Replace(template, "spec: {", "spec: {restartPolicy: Never, ", 1) + `}}}}`,
	}
}

const unreadableImage = "https://registry.example.com/Web"

// nobodyIsAMirrorPodByAnnotation: whoever is no node switches nothing off with it, neither when an object is created
// nor by an update that brings it beside the fault, before it, or takes it away again.
func nobodyIsAMirrorPodByAnnotation(a *api) {
	namespace := a.namespace("no-mirrors", nil)
	mirror := map[string]string{corev1.MirrorPodAnnotationKey: "x"}
	for kind, text := range workloads() {
		fails := denied + kind + ` "web" would fail: web: InvalidImageName`
		faulty := a.object(fmt.Sprintf(text, unreadableImage), namespace)
		faulty.SetAnnotations(mirror)
		if kind == "Pod" { // else the API server refuses the annotation
			faulty.Object["spec"].(map[string]any)["nodeName"] = "node"
		}
		want(a.t, a.create(faulty.DeepCopy(), client.DryRunAll), fails)

		sound := a.object(fmt.Sprintf(text, "web:1"), namespace)
		want(a.t, a.create(sound), "")
		update := func(image string, annotations map[string]string) answer {
			o := sound.DeepCopy()
			setImage(a, o, image)
			o.SetAnnotations(annotations)
			return a.do(func(ctx context.Context, c client.Client) error {
				err := c.Update(ctx, o)
				if err == nil {
					sound = o
				}
				return err
			})
		}
		if kind == "Pod" { // nobody may bring it to a Pod that exists
			want(a.t, update(unreadableImage, nil), fails)
			continue
		}
		want(a.t, update(unreadableImage, mirror), fails) // beside the fault
		want(a.t, update("web:1", mirror), "")            // before it
		want(a.t, update(unreadableImage, mirror), fails) // with it
		want(a.t, update(unreadableImage, nil), fails)    // and away again
	}
}

// setImage sets the image of the first container.
func setImage(a *api, o *unstructured.Unstructured, image string) {
	a.t.Helper()
	path := map[string][]string{
		"Pod": {"spec", "containers"}, "CronJob": {"spec", "jobTemplate", "spec", "template", "spec", "containers"},
	}[o.GetKind()]
	if path == nil {
		path = []string{"spec", "template", "spec", "containers"}
	}
	list, found, err := unstructured.NestedSlice(o.Object, path...)
	if err != nil || !found {
		a.t.Fatal(o.GetKind(), found, err)
	}
	list[0].(map[string]any)["image"] = image
	if err := unstructured.SetNestedSlice(o.Object, list, path...); err != nil {
		a.t.Fatal(err)
	}
}

// ownersAreNotForged: a bare Pod of a ReplicaSet that does not exist, and a Deployment of a CronJob, are denied
// as those of nobody are.
func ownersAreNotForged(a *api) {
	namespace := a.namespace("forged-owners", nil)
	for kind, owner := range map[string]schema.GroupVersionKind{
		"Pod":         {Group: "apps", Version: "v1", Kind: "ReplicaSet"},
		"Deployment":  {Group: "batch", Version: "v1", Kind: "CronJob"},
		"StatefulSet": {Group: "apps", Version: "v1", Kind: "Deployment"},
	} {
		o := a.object(fmt.Sprintf(workloads()[kind], unreadableImage), namespace)
		o.SetOwnerReferences(ownedBy(owner))
		want(a.t, a.create(o, client.DryRunAll), denied+kind+` "web" would fail: web: InvalidImageName`)
	}
}

// verdictsAreNotPoisoned: two Pods that differ beside the name of their token volume have each their verdict, whatever in them looks
// like that name.
func verdictsAreNotPoisoned(a *api) {
	namespace := a.namespace("poisoned", nil)
	pod := func(volume, image string) *unstructured.Unstructured {
		return a.object(fmt.Sprintf(`{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {
			volumes: [{name: %s, emptyDir: {}}],
			containers: [{name: web, image: "%s", resources: {limits: {memory: 64Mi}}, volumeMounts: [{name: %s, mountPath: /a}]}]}}`,
			volume, image, volume), namespace)
	}
	for range 2 {
		want(a.t, a.create(pod("kube-api-access-aaaaa", "kube-api-access-aaaaa"), client.DryRunAll), "")
		for _, volume := range []string{"kube-api-access-aaaaa", "kube-api-access-bbbbb"} {
			want(a.t, a.create(pod(volume, "kube-api-access-"), client.DryRunAll), denied+`Pod "web" would fail: web: InvalidImageName`)
		}
	}
}

// runningPodsAreNotBroken: a bare Pod that exists is not changed to one that fails; of what a controller
// owns, and of containers to look into a Pod, people are warned.
func runningPodsAreNotBroken(a *api) {
	namespace := a.namespace("broken", nil)
	const java = `{apiVersion: v1, kind: Pod, metadata: {name: %s}, spec: {containers: [{name: web, image: "web:1",
		command: [java, -Xms256m, -Xmx256m, -XX:+AlwaysPreTouch, -jar, a.jar],
		resources: {requests: {memory: 512Mi}, limits: {memory: 512Mi}}}]}}`
	const (
		image = `{"spec":{"containers":[{"name":"web","image":"` + unreadableImage + `"}]}}`
		tiny  = `{"spec":{"containers":[{"name":"web","resources":{"requests":{"memory":"8Mi"},"limits":{"memory":"8Mi"}}}]}}`
		debug = `{"spec":{"ephemeralContainers":[{"name":"debug","image":"` + unreadableImage + `"}]}}`
	)
	const controller = "system:serviceaccount:kube-system:replicaset-controller"
	for _, owned := range []bool{false, true} {
		name, oom, invalid := "bare", denied+`Pod "bare" would fail: web: OOMKilled`, denied+`Pod "bare" would fail: web: InvalidImageName`
		if owned {
			name, oom, invalid = "owned", "", ""
		}
		pod := a.object(fmt.Sprintf(java, name), namespace)
		if owned {
			pod.SetOwnerReferences(ownedBy(schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "ReplicaSet"}))
		}
		want(a.t, a.createAs(controller, pod), "")
		for _, tt := range []struct{ subresource, patch, message string }{
			{"", image, invalid}, {"resize", tiny, oom}, {"ephemeralcontainers", debug, ""},
		} {
			got := a.do(func(ctx context.Context, c client.Client) error {
				patch := client.RawPatch("application/strategic-merge-patch+json", []byte(tt.patch))
				if tt.subresource == "" {
					return c.Patch(ctx, pod.DeepCopy(), patch)
				}
				return c.SubResource(tt.subresource).Patch(ctx, pod.DeepCopy(), patch)
			})
			want(a.t, got, tt.message)
			if tt.message == "" && len(got.warnings) == 0 {
				a.t.Errorf("%s, %q: nobody is warned", name, tt.subresource)
			}
		}
	}
}
