// Package workload turns any object that carries a pod template into one View,
// so that everything after it is written once for Pods, Deployments and CronJobs
// alike. The pod template in a View has the API server's defaults applied: a
// manifest read from a file looks as the API server would store it.
package workload

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// ContainerKind tells the four lists of containers apart. A native sidecar is an
// init container whose restartPolicy is Always (Kubernetes 1.29 and later).
type ContainerKind string

// The kinds of container, in the order in which a View lists them.
const (
	Init      ContainerKind = "init"
	Sidecar   ContainerKind = "sidecar"
	Regular   ContainerKind = "regular"
	Ephemeral ContainerKind = "ephemeral"
)

// View is one pod-bearing object as the rules see it.
type View struct {
	// APIVersion and Kind of the submitted object.
	APIVersion, Kind string
	// Unserved is set where no API server serves Kind in APIVersion; Kind is then that of the successor.
	Unserved *Unserved
	// Like is the built-in kind whose pods behave the same; of a built-in kind, its own name.
	Like string
	// Custom is true for kinds that are not built in: how they replace pods is not known.
	Custom bool
	// Fills is what the controller sets beyond the template; what it sets is not known.
	Fills Fills
	// Meta is the metadata of the submitted object.
	Meta metav1.ObjectMeta
	// TemplatePath is the place of the pod template in the object:
	// "spec.template" in a Deployment, "" in a Pod.
	TemplatePath string
	// SpecPath is the place of the pod spec: "spec.template.spec", or "spec" in a Pod.
	SpecPath string
	// PodMeta is the metadata of the template; in a Pod, its own.
	PodMeta metav1.ObjectMeta
	// PodSpec is the pod spec with the API's defaults applied.
	PodSpec corev1.PodSpec
	// Controller is what the object says of its pods beside the template.
	Controller Controller
	// Written holds amounts of memory as they were written, by their place, where Kubernetes writes them in another
	// way and they are so small that it matters.
	Written map[string]string
	// Containers lists init containers and sidecars in their order, then regular,
	// then ephemeral containers.
	Containers []Container
}

// Container is one container of a View.
type Container struct {
	Kind ContainerKind
	// Path is the place in the submitted object, with the index in the
	// container's own list: spec.template.spec.initContainers[0].
	Path string
	// RestartPolicy is the policy in force for this container: its own where it has
	// one, otherwise what the pod's means for its kind (an init container under
	// Always is restarted only on failure).
	RestartPolicy corev1.RestartPolicy
	// Container holds the fields, defaults applied. For an ephemeral container it
	// is the part that it shares with the others.
	corev1.Container
}

// noTemplate stands for the place of a pod template where there is none.
const noTemplate = "none"

// WithoutTemplate returns the View of an object that carries no pod template: it has names, and nothing runs.
func WithoutTemplate(kind schema.GroupVersionKind, meta metav1.ObjectMeta) *View {
	return &View{
		APIVersion: kind.GroupVersion().String(), Kind: kind.Kind, Meta: meta,
		TemplatePath: noTemplate, SpecPath: "spec",
	}
}
