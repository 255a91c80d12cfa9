package cluster

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/forestall/forestall/internal/quantity"
)

// LimitRange is what is kept of a LimitRange: what it says about memory.
type LimitRange struct {
	Namespace, Name string
	// Default is the limit that containers without one get; nil for none.
	Default *LimitRangeDefault
	// Ranges are the bounds that it sets.
	Ranges []MemoryRange
}

// LimitRangeOf returns what is kept of a LimitRange.
func LimitRangeOf(o *corev1.LimitRange) *LimitRange {
	return &LimitRange{
		Namespace: o.Namespace, Name: o.Name,
		Default: defaultMemoryLimit(o.Name, o.Spec), Ranges: memoryRanges(o.Name, o.Spec),
	}
}

func (l *LimitRange) place() (namespace, name string) { return l.Namespace, l.Name }

func (*LimitRange) found() []label { return nil }

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
