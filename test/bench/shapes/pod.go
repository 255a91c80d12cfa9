package shapes

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// pod has the fields that people set. A failing one has a one-shot command in its
// first container and no memory limit in its last.
func (s Shape) pod(variant int) corev1.PodSpec {
	spec := corev1.PodSpec{RestartPolicy: corev1.RestartPolicyAlways, ServiceAccountName: "shop"}
	for i := range s.Containers {
		spec.Containers = append(spec.Containers, container(i, variant))
	}
	if s.Failing {
		spec.Containers[0].Command = []string{"sh", "-c", "echo migrating && sleep 2 && echo done"}
		delete(spec.Containers[s.Containers-1].Resources.Limits, corev1.ResourceMemory)
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
			{Name: "POD_IP", ValueFrom: fromField("status.podIP")},
			{Name: "TOKEN", ValueFrom: fromSecret("shop", "token")},
		},
		Resources: corev1.ResourceRequirements{
			Requests: corev1.ResourceList{"cpu": resource.MustParse("100m"), "memory": resource.MustParse("256Mi")},
			Limits:   corev1.ResourceList{"memory": resource.MustParse("512Mi")},
		},
		LivenessProbe: probe("/healthz"), ReadinessProbe: probe("/readyz"),
		VolumeMounts: []corev1.VolumeMount{{Name: "data", MountPath: "/data"}},
	}
}

func fromField(path string) *corev1.EnvVarSource {
	return &corev1.EnvVarSource{FieldRef: &corev1.ObjectFieldSelector{FieldPath: path}}
}

func fromSecret(name, key string) *corev1.EnvVarSource {
	return &corev1.EnvVarSource{SecretKeyRef: &corev1.SecretKeySelector{
		LocalObjectReference: corev1.LocalObjectReference{Name: name}, Key: key,
	}}
}
