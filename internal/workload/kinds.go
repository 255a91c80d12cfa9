package workload

import (
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Kind describes one kind of object that carries a pod template: what the API
// server calls it, where the template stands in it, and how its pods behave.
type Kind struct {
	// Group is the API group; the core group is "".
	Group string
	// Version is the version of the group. Of the built-in kinds it is the only one
	// that supported API servers serve; a custom kind may be there once for each.
	Version string
	// Kind is the name that stands in a manifest.
	Kind string
	// Resource is the plural that stands in URLs, webhook rules and RBAC.
	Resource string
	// TemplatePath is the place of the pod template; "" where the object is the pod.
	TemplatePath string
	// SpecPath is the place of the pod spec.
	SpecPath string
	// Like is the built-in kind whose pods behave the same: whether they are meant to
	// run on (Deployment) or to end (Job). A built-in kind is like itself.
	Like string
	// ReplicasPath is where a custom kind holds the number of its pods; "" for nowhere.
	ReplicasPath string
	// Fills is what the controller of a custom kind adds to the template.
	Fills Fills
}

// Fills says what a controller sets in the pods that it makes, beyond the template or instead of
// it. For these fields the template is no evidence: their values are unknown.
type Fills struct {
	// Env: it adds environment variables.
	Env bool
	// Probes: it completes probes, moves them or asks them itself.
	Probes bool
	// Images: it puts other images in the place of those in the template.
	Images bool
	// ContainerName is the name that it gives to a container without one.
	ContainerName string
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

// custom tells the kinds that a CustomResourceDefinition makes from the built-in ones:
// their group must hold a dot (k8s.io/apiextensions-apiserver
// pkg/apis/apiextensions/validation/validation.go), and no built-in group with pod templates does.
func (k Kind) custom() bool { return strings.Contains(k.Group, ".") }

// completes reports whether the pods of the kind are meant to end.
func (k Kind) completes() bool { return k.Like == "Job" || k.Like == "CronJob" }

// The four places where a built-in kind has its pod template.
const (
	templateIsObject  = ""
	templateAtRoot    = "template"
	templateInSpec    = "spec.template"
	templateInCronJob = "spec.jobTemplate.spec.template"
)

const kindCount = 9

// kinds are the built-in kinds. It is a value, so that nobody can change it for others.
func kinds() [kindCount]Kind {
	return [kindCount]Kind{
		builtIn("", "Pod", "pods", templateIsObject, "spec"),
		builtIn("", "PodTemplate", "podtemplates", templateAtRoot, "template.spec"),
		builtIn("", "ReplicationController", "replicationcontrollers", templateInSpec, "spec.template.spec"),
		builtIn("apps", "ReplicaSet", "replicasets", templateInSpec, "spec.template.spec"),
		builtIn("apps", "Deployment", "deployments", templateInSpec, "spec.template.spec"),
		builtIn("apps", "StatefulSet", "statefulsets", templateInSpec, "spec.template.spec"),
		builtIn("apps", "DaemonSet", "daemonsets", templateInSpec, "spec.template.spec"),
		builtIn("batch", "Job", "jobs", templateInSpec, "spec.template.spec"),
		builtIn("batch", "CronJob", "cronjobs", templateInCronJob, "spec.jobTemplate.spec.template.spec"),
	}
}

func builtIn(group, kind, resource, templatePath, specPath string) Kind {
	return Kind{
		Group: group, Version: "v1", Kind: kind, Resource: resource,
		TemplatePath: templatePath, SpecPath: specPath, Like: kind,
	}
}
