package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"

	admissionv1 "k8s.io/api/admission/v1"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/forestall/forestall/internal/workload"
)

// shape is what is sent.
type shape struct {
	kind       string
	containers int
	failing    bool
	// repeated sends the same pod template again and again, under other names. Else no
	// template comes twice: what the webhook keeps of it is of no use.
	repeated bool
}

func (s shape) String() string {
	verdict, variety := "healthy", "distinct"
	if s.failing {
		verdict = "failing"
	}
	if s.repeated {
		variety = "repeated"
	}
	return fmt.Sprintf("%s, %d containers, %s, %s", s.kind, s.containers, verdict, variety)
}

// verdict is what the webhook must answer.
func (s shape) verdict() []byte {
	if s.failing {
		return []byte(`"allowed":false`)
	}
	return []byte(`"allowed":true`)
}

// numbered is a body with places for the number that tells it from others.
type numbered struct {
	text   []byte
	places []int
}

// The places of the number are found by one that nothing else is.
const (
	digits = 7
	marker = 9_753_197
)

// body is the review to send.
func (s shape) body() (numbered, error) {
	text, err := s.review(marker)
	if err != nil {
		return numbered{}, fmt.Errorf("making the requests: %w", err)
	}
	n := numbered{text: text}
	for mark, at := []byte(strconv.Itoa(marker)), 0; ; at += digits {
		i := bytes.Index(text[at:], mark)
		if i < 0 {
			return n, nil
		}
		at += i
		n.places = append(n.places, at)
	}
}

// with returns the body with a number of at most seven digits.
func (n numbered) with(number int) []byte {
	text := bytes.Clone(n.text)
	mark := fmt.Appendf(nil, "%0*d", digits, number)
	for _, at := range n.places {
		copy(text[at:], mark)
	}
	return text
}

// review is what the API server sends about the object.
func (s shape) review(i int) ([]byte, error) {
	object, kind := s.object(i)
	spec := &corev1.PodSpec{}
	switch o := object.(type) {
	case *corev1.Pod:
		spec = &o.Spec
	case *appsv1.Deployment:
		spec = &o.Spec.Template.Spec
	}
	if err := fill(spec); err != nil {
		return nil, err
	}
	raw, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	return json.Marshal(admissionv1.AdmissionReview{
		TypeMeta: metav1.TypeMeta{APIVersion: "admission.k8s.io/v1", Kind: "AdmissionReview"},
		Request: &admissionv1.AdmissionRequest{
			UID: types.UID(fmt.Sprintf("uid-%d", i)), Kind: kind, Name: nameOf(i), Namespace: namespace,
			Operation: admissionv1.Create, Object: runtime.RawExtension{Raw: raw},
		},
	})
}

// fill gives a pod spec the API server's defaults, which it fills in before it asks.
func fill(spec *corev1.PodSpec) error {
	raw, err := json.Marshal(corev1.Pod{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}, Spec: *spec})
	if err != nil {
		return err
	}
	view, err := workload.Table{}.FromObject(raw)
	if err != nil {
		return err
	}
	*spec = view.PodSpec
	return nil
}

const namespace = "shop"

func nameOf(i int) string { return fmt.Sprintf("shop-%d", i) }

// object is the i-th object of the shape.
func (s shape) object(i int) (any, metav1.GroupVersionKind) {
	meta := metav1.ObjectMeta{
		Name: nameOf(i), Namespace: namespace, Labels: map[string]string{"app": nameOf(i)},
		UID: types.UID(fmt.Sprintf("0b6e3a52-%d", i)),
	}
	variant := i
	if s.repeated {
		variant = 0
		meta.Labels["app"] = namespace
	}
	spec := s.pod(variant)
	if s.kind == "Pod" {
		return &corev1.Pod{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}, ObjectMeta: meta, Spec: spec},
			metav1.GroupVersionKind{Version: "v1", Kind: "Pod"}
	}
	return &appsv1.Deployment{
		TypeMeta: metav1.TypeMeta{APIVersion: "apps/v1", Kind: "Deployment"}, ObjectMeta: meta,
		Spec: appsv1.DeploymentSpec{
			Selector: &metav1.LabelSelector{MatchLabels: meta.Labels},
			Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: meta.Labels}, Spec: spec},
		},
	}, metav1.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}
}

// pod has the fields that people set. A failing one has a one-shot command in its
// first container and no memory limit in its last.
func (s shape) pod(variant int) corev1.PodSpec {
	spec := corev1.PodSpec{RestartPolicy: corev1.RestartPolicyAlways, ServiceAccountName: "shop"}
	for i := range s.containers {
		spec.Containers = append(spec.Containers, container(i, variant))
	}
	if s.failing {
		spec.Containers[0].Command = []string{"sh", "-c", "echo migrating && sleep 2 && echo done"}
		delete(spec.Containers[s.containers-1].Resources.Limits, corev1.ResourceMemory)
	}
	return spec
}

func container(i, variant int) corev1.Container {
	port := intstr.FromString("http")
	probe := func(path string) *corev1.Probe {
		return &corev1.Probe{
			ProbeHandler:     corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Path: path, Port: port}},
			FailureThreshold: 6, PeriodSeconds: 10, TimeoutSeconds: 5, InitialDelaySeconds: 30,
		}
	}
	return corev1.Container{
		Name:  fmt.Sprintf("app-%d", i),
		Image: fmt.Sprintf("registry.example.com/shop/app-%d:1.4.%d", i, variant),
		Command: []string{
			"/app/server", fmt.Sprintf("--listen=:%d", 8080+i), "--log-format=json", fmt.Sprintf("--shard=%d", variant),
		},
		Ports: []corev1.ContainerPort{{Name: "http", ContainerPort: int32(8080 + i)}},
		Env: []corev1.EnvVar{
			{Name: "LOG_LEVEL", Value: "info"},
			{Name: "POD_IP", ValueFrom: &corev1.EnvVarSource{FieldRef: &corev1.ObjectFieldSelector{FieldPath: "status.podIP"}}},
			{Name: "TOKEN", ValueFrom: &corev1.EnvVarSource{SecretKeyRef: &corev1.SecretKeySelector{
				LocalObjectReference: corev1.LocalObjectReference{Name: "shop"}, Key: "token",
			}}},
		},
		Resources: corev1.ResourceRequirements{
			Requests: corev1.ResourceList{"cpu": resource.MustParse("100m"), "memory": resource.MustParse("256Mi")},
			Limits:   corev1.ResourceList{"memory": resource.MustParse("512Mi")},
		},
		LivenessProbe: probe("/healthz"), ReadinessProbe: probe("/readyz"),
		VolumeMounts: []corev1.VolumeMount{{Name: "data", MountPath: "/data"}},
	}
}
