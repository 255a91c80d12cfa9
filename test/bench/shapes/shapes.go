// Package shapes makes the objects that benchmarks send: pods with the fields that people set,
// and pods as they are found in clusters.
package shapes

import (
	"encoding/json"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/forestall/forestall/internal/workload"
)

// Namespace is where the objects are.
const Namespace = "shop"

// Shape is one kind of object that benchmarks send.
type Shape struct {
	// Kind is Pod or Deployment.
	Kind       string
	Containers int
	// Full objects look as a build, an operator and a mesh leave them: image digests, sixteen
	// variables a container, checksums and commits in annotations. Others have the
	// fields that people set.
	Full bool
	// Failing ones are denied.
	Failing bool
	// Repeated sends the same pod template again and again, under other names. Else no
	// template comes twice: what the webhook keeps of it is of no use.
	Repeated bool
}

// All lists every shape.
func All() []Shape {
	var all []Shape
	for _, kind := range []string{"Pod", "Deployment"} {
		for _, size := range []Shape{{Containers: 1}, {Containers: 3}, {Containers: 10}, {Containers: 3, Full: true}} {
			for _, failing := range []bool{false, true} {
				for _, repeated := range []bool{false, true} {
					all = append(all, Shape{kind, size.Containers, size.Full, failing, repeated})
				}
			}
		}
	}
	return all
}

// String says what the shape is, to people.
func (s Shape) String() string {
	kind, verdict, variety := s.Kind, "healthy", "distinct"
	if s.Full {
		kind = "full " + kind
	}
	if s.Failing {
		verdict = "failing"
	}
	if s.Repeated {
		variety = "repeated"
	}
	return fmt.Sprintf("%s, %d containers, %s, %s", kind, s.Containers, verdict, variety)
}

// Verdict is part of what the webhook must answer.
func (s Shape) Verdict() []byte {
	if s.Failing {
		return []byte(`"allowed":false`)
	}
	return []byte(`"allowed":true`)
}

// Name is what the i-th object is called.
func Name(i int) string { return fmt.Sprintf("shop-%d", i) }

// Object is the i-th object of the shape, as it is submitted.
func (s Shape) Object(i int) client.Object {
	meta := metav1.ObjectMeta{
		Name: Name(i), Namespace: Namespace, Labels: map[string]string{"app": Name(i)},
	}
	variant := i
	if s.Repeated {
		variant = 0
		meta.Labels["app"] = Namespace
	}
	template := corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: meta.Labels}, Spec: s.pod(variant)}
	if s.Full {
		s.complete(&meta, &template, variant)
	}
	if s.Kind == "Pod" {
		meta.Labels, meta.Annotations = template.Labels, template.Annotations
		return &corev1.Pod{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}, ObjectMeta: meta, Spec: template.Spec}
	}
	return &appsv1.Deployment{
		TypeMeta: metav1.TypeMeta{APIVersion: "apps/v1", Kind: "Deployment"}, ObjectMeta: meta,
		Spec: appsv1.DeploymentSpec{
			Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": meta.Labels["app"]}}, Template: template,
		},
	}
}

// Raw is the i-th object as the API server sends it to a webhook, as JSON.
func (s Shape) Raw(i int) ([]byte, error) {
	object := s.Object(i)
	object.SetUID(types.UID(fmt.Sprintf("0b6e3a52-%d", i)))
	spec := &corev1.PodSpec{}
	switch o := object.(type) {
	case *corev1.Pod:
		if s.Full {
			admit(o)
		}
		spec = &o.Spec
	case *appsv1.Deployment:
		spec = &o.Spec.Template.Spec
	}
	if err := fill(spec); err != nil {
		return nil, fmt.Errorf("filling in defaults: %w", err)
	}
	return json.Marshal(object)
}

// fill gives a pod spec the API server's defaults, which it fills in before it asks.
func fill(spec *corev1.PodSpec) error {
	raw, err := json.Marshal(corev1.Pod{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}, Spec: *spec})
	if err != nil {
		return err
	}
	view, err := (workload.Table{}).FromObject(raw)
	if err != nil {
		return err
	}
	*spec = view.PodSpec
	return nil
}
