package policy

import (
	"encoding/json"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/forestall/forestall/internal/cluster"
	"github.com/forestall/forestall/internal/facts"
)

// InputVersion is the version of the input document. Fields are only added
// within a version.
const InputVersion = "v1"

// Input is the document that rules judge. It is an API: the JSON Schema in
// policies/schemas is generated from this type, and `forestall facts` prints it.
type Input struct {
	Version string  `json:"version" jsonschema:"enum=v1"`
	Request Request `json:"request"`
	// Object is the object as it was submitted.
	Object json.RawMessage `json:"object"`
	// Pod is the pod template with the API's defaults applied, and what is observed of it as a whole.
	Pod        Pod               `json:"pod"`
	Workload   facts.Workload    `json:"workload"`
	Containers []facts.Container `json:"containers"`
	// Service is what is observed of a Service, which has no pod template and no containers.
	Service *facts.Service `json:"service,omitempty"`
	// Manifest is what is observed of the text of the manifest, in an audit.
	Manifest facts.Manifest `json:"manifest"`
	// Cluster is what else exists, as far as it concerns the object.
	Cluster cluster.Context `json:"cluster"`
	// Params holds the parameters in force, by rule id and name.
	Params map[string]map[string]any `json:"params"`
}

// Request is what is known of the request that brought the object.
type Request struct {
	Operation string `json:"operation" jsonschema:"enum=CREATE,enum=UPDATE,enum=AUDIT"`
	Kind      Kind   `json:"kind"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name,omitempty"`
	DryRun    bool   `json:"dryRun,omitempty"`
	User      string `json:"user,omitempty"`
}

// Kind is a group, version and kind in JSON.
type Kind struct {
	Group   string `json:"group"`
	Version string `json:"version"`
	Kind    string `json:"kind"`
}

// KindOf converts the type that Go code uses.
func KindOf(gvk schema.GroupVersionKind) Kind {
	return Kind{Group: gvk.Group, Version: gvk.Version, Kind: gvk.Kind}
}

// Pod is the pod template of the object; for a Pod, the pod itself.
type Pod struct {
	Metadata metav1.ObjectMeta `json:"metadata"`
	Spec     corev1.PodSpec    `json:"spec"`
	facts.Pod
}
