package workload

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// DisplayName is what a person would call the object: its name, or the prefix of
// the name that the API server has yet to generate, followed by "*".
func (v *View) DisplayName() string { return displayName(v.Meta) }

// ControllerOwner returns the reference to the controller of the object; nil where there is none.
func (v *View) ControllerOwner() *metav1.OwnerReference { return metav1.GetControllerOfNoCopy(&v.Meta) }

// pair is a kind of owner and a kind that its controller creates.
type pair struct{ owner, created schema.GroupKind }

const pairCount = 7

// pairs are what the controllers of Kubernetes create from the pod template of a judged
// kind (k8s.io/kubernetes pkg/controller). It is a value, so that nobody can change it for others.
func pairs() [pairCount]pair {
	core := func(kind string) schema.GroupKind { return schema.GroupKind{Kind: kind} }
	apps := func(kind string) schema.GroupKind { return schema.GroupKind{Group: "apps", Kind: kind} }
	batch := func(kind string) schema.GroupKind { return schema.GroupKind{Group: "batch", Kind: kind} }
	return [pairCount]pair{
		{apps("ReplicaSet"), core("Pod")},
		{apps("StatefulSet"), core("Pod")},
		{apps("DaemonSet"), core("Pod")},
		{batch("Job"), core("Pod")},
		{core("ReplicationController"), core("Pod")},
		{apps("Deployment"), apps("ReplicaSet")},
		{batch("CronJob"), batch("Job")},
	}
}

// BuiltInOwner returns the object's controller where the two are a pair that a controller of
// Kubernetes makes: the same template was judged when the owner was submitted. The
// group and kind of the reference decide, not its version. Anybody can write such a
// reference: who sends the object has to be looked at as well.
func (v *View) BuiltInOwner() *metav1.OwnerReference {
	owner := v.ControllerOwner()
	if owner == nil {
		return nil
	}
	of, err := schema.ParseGroupVersion(owner.APIVersion)
	if err != nil {
		return nil
	}
	own, err := schema.ParseGroupVersion(v.APIVersion)
	if err != nil {
		return nil
	}
	this := pair{of.WithKind(owner.Kind).GroupKind(), own.WithKind(v.Kind).GroupKind()}
	for _, p := range pairs() {
		if p == this {
			return owner
		}
	}
	return nil
}

// Bare reports whether the object is a Pod that no controller would replace.
func (v *View) Bare() bool { return v.IsPod() && v.ControllerOwner() == nil }

// IsPod reports whether the object is a Pod, and so its own template.
func (v *View) IsPod() bool { return v.TemplatePath == templateIsObject && !v.Custom }

// Mirrors reports whether the object says that it is a mirror pod: what a kubelet shows of a
// pod that it runs from a file (k8s.io/kubernetes pkg/kubelet/pod/mirror_client.go).
func (v *View) Mirrors() bool {
	_, ok := v.Meta.Annotations[corev1.MirrorPodAnnotationKey]
	return ok && v.IsPod()
}

func displayName(meta metav1.ObjectMeta) string {
	if meta.Name == "" && meta.GenerateName != "" {
		return meta.GenerateName + "*"
	}
	return meta.Name
}
