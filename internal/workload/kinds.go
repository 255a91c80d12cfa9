package workload

import (
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Kind describes one kind of object that carries a pod template: what the API
// server calls it and where the template stands in it.
type Kind struct {
	// Group is the API group; the core group is "".
	Group string
	// Version is the only version of the kind that supported API servers serve.
	Version string
	// Kind is the name that stands in a manifest.
	Kind string
	// Resource is the plural that stands in URLs, webhook rules and RBAC.
	Resource string
	// TemplatePath is the place of the pod template; "" where the object is the pod.
	TemplatePath string
	// SpecPath is the place of the pod spec.
	SpecPath string
}

// GroupVersionKind returns the kind as apimachinery names it.
func (k Kind) GroupVersionKind() schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: k.Group, Version: k.Version, Kind: k.Kind}
}

// GroupVersionResource returns the resource that serves the kind.
func (k Kind) GroupVersionResource() schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: k.Group, Version: k.Version, Resource: k.Resource}
}

// APIVersion returns what stands in the apiVersion field of a manifest.
func (k Kind) APIVersion() string {
	return schema.GroupVersion{Group: k.Group, Version: k.Version}.String()
}

// The four places where a pod template can stand.
const (
	templateIsObject  = ""
	templateAtRoot    = "template"
	templateInSpec    = "spec.template"
	templateInCronJob = "spec.jobTemplate.spec.template"
)

const kindCount = 9

// kinds is the table of the judged kinds. It is a value, so that nobody can
// change it for others.
func kinds() [kindCount]Kind {
	return [kindCount]Kind{
		{"", "v1", "Pod", "pods", templateIsObject, "spec"},
		{"", "v1", "PodTemplate", "podtemplates", templateAtRoot, "template.spec"},
		{"", "v1", "ReplicationController", "replicationcontrollers", templateInSpec, "spec.template.spec"},
		{"apps", "v1", "ReplicaSet", "replicasets", templateInSpec, "spec.template.spec"},
		{"apps", "v1", "Deployment", "deployments", templateInSpec, "spec.template.spec"},
		{"apps", "v1", "StatefulSet", "statefulsets", templateInSpec, "spec.template.spec"},
		{"apps", "v1", "DaemonSet", "daemonsets", templateInSpec, "spec.template.spec"},
		{"batch", "v1", "Job", "jobs", templateInSpec, "spec.template.spec"},
		{"batch", "v1", "CronJob", "cronjobs", templateInCronJob, "spec.jobTemplate.spec.template.spec"},
	}
}

// Kinds lists the judged kinds. The slice is the caller's own.
func Kinds() []Kind {
	all := kinds()
	return all[:]
}

// Judged reports whether objects of the kind carry a pod template that
// FromObject can read.
func Judged(gvk schema.GroupVersionKind) bool {
	for _, k := range kinds() {
		if k.GroupVersionKind() == gvk {
			return true
		}
	}
	return false
}

// kindNamed finds a kind by the two fields that begin every manifest.
func kindNamed(apiVersion, kind string) (Kind, bool) {
	for _, k := range kinds() {
		if k.Kind == kind && k.APIVersion() == apiVersion {
			return k, true
		}
	}
	return Kind{}, false
}
