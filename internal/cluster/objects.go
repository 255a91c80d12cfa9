package cluster

import (
	"strconv"

	corev1 "k8s.io/api/core/v1"

	"github.com/forestall/forestall/internal/quantity"
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

// AddLimitRange takes in what a LimitRange of the namespace says about memory. Where several
// give a default limit, the first one counts.
func (c *Context) AddLimitRange(name string, spec corev1.LimitRangeSpec) {
	if c.DefaultMemoryLimit == nil {
		c.DefaultMemoryLimit = defaultMemoryLimit(name, spec)
	}
	c.MemoryRanges = append(c.MemoryRanges, memoryRanges(name, spec)...)
}

// defaultMemoryLimit returns the limit that a LimitRange gives to containers without
// one, or nil. Where only a maximum is given, the API server makes that the default
// (k8s.io/kubernetes pkg/apis/core/v1/defaults.go, SetDefaults_LimitRangeItem).
func defaultMemoryLimit(name string, spec corev1.LimitRangeSpec) *LimitRangeDefault {
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

// memoryRanges returns the bounds that a LimitRange sets to the memory of pods and
// containers (k8s.io/kubernetes plugin/pkg/admission/limitranger/admission.go, PodValidateLimitFunc).
func memoryRanges(name string, spec corev1.LimitRangeSpec) []MemoryRange {
	var all []MemoryRange
	for _, item := range spec.Limits {
		if item.Type != corev1.LimitTypeContainer && item.Type != corev1.LimitTypePod {
			continue
		}
		lowest, highest := item.Min[corev1.ResourceMemory], item.Max[corev1.ResourceMemory]
		ratio := item.MaxLimitRequestRatio[corev1.ResourceMemory]
		r := MemoryRange{
			LimitRange: name, Type: string(item.Type),
			MinBytes: quantity.Value(lowest), MaxBytes: quantity.Value(highest), MaxLimitRequestRatio: ratio.AsApproximateFloat64(),
		}
		if r.MinBytes != 0 || r.MaxBytes != 0 || r.MaxLimitRequestRatio != 0 {
			all = append(all, r)
		}
	}
	return all
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
