package main

import (
	"bytes"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/yaml"

	"github.com/forestall/forestall/test/bench/shapes"
)

// text is the i-th app as YAML, with its Service and PodDisruptionBudget if it is
// to have them.
func (in input) text(i int) ([]byte, error) {
	deployment := shapes.Shape{Kind: "Deployment", Containers: 3}.Object(i)
	if d, ok := deployment.(*appsv1.Deployment); ok && in.failing {
		spoil(&d.Spec.Template.Spec, i)
	}
	objects := []any{deployment}
	if in.selected {
		meta := metav1.ObjectMeta{Name: shapes.Name(i), Namespace: shapes.Namespace}
		selector := map[string]string{"app": shapes.Name(i)}
		objects = append(objects, &corev1.Service{
			TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Service"}, ObjectMeta: meta,
			Spec: corev1.ServiceSpec{Selector: selector, Ports: []corev1.ServicePort{{Port: 80, TargetPort: intstr.FromString("http")}}},
		}, &policyv1.PodDisruptionBudget{
			TypeMeta: metav1.TypeMeta{APIVersion: "policy/v1", Kind: "PodDisruptionBudget"}, ObjectMeta: meta,
			Spec: policyv1.PodDisruptionBudgetSpec{Selector: &metav1.LabelSelector{MatchLabels: selector}},
		})
	}
	var all bytes.Buffer
	for _, o := range objects {
		text, err := yaml.Marshal(o)
		if err != nil {
			return nil, err
		}
		all.WriteString("---\n")
		all.Write(text)
	}
	return all.Bytes(), nil
}
