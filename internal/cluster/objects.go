package cluster

import (
	"strconv"

	corev1 "k8s.io/api/core/v1"
)

// Selects reports whether a Service with this selector sends to pods with these
// labels. A Service without selector has no pods of its own.
func Selects(selector, podLabels map[string]string) bool {
	for key, value := range selector {
		if label, ok := podLabels[key]; !ok || label != value {
			return false
		}
	}
	return len(selector) > 0
}

// DefaultMemoryLimitOf returns the limit that a LimitRange gives to containers
// without one, or nil. Where only a maximum is given, the API server makes that the default
// (k8s.io/kubernetes pkg/apis/core/v1/defaults.go, SetDefaults_LimitRangeItem).
func DefaultMemoryLimitOf(name string, spec corev1.LimitRangeSpec) *LimitRangeDefault {
	for _, item := range spec.Limits {
		if item.Type != corev1.LimitTypeContainer {
			continue
		}
		for _, list := range []corev1.ResourceList{item.Default, item.Max} {
			if q, ok := list[corev1.ResourceMemory]; ok {
				return &LimitRangeDefault{LimitRange: name, Text: q.String()}
			}
		}
	}
	return nil
}

// TargetsOf returns where the ports of a Service send to. Without a target port
// it is the Service's own (k8s.io/kubernetes pkg/apis/core/v1/defaults.go,
// SetDefaults_Service).
func TargetsOf(name string, ports []corev1.ServicePort) []ServicePort {
	targets := make([]ServicePort, 0, len(ports))
	for _, p := range ports {
		target := p.TargetPort.String()
		if target == "0" || target == "" {
			target = strconv.Itoa(int(p.Port))
		}
		targets = append(targets, ServicePort{Service: name, TargetPort: target})
	}
	return targets
}
