package cluster

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/forestall/forestall/internal/quantity"
)

// LimitRangeDefault is a default limit and the LimitRange that sets it.
type LimitRangeDefault struct {
	LimitRange string `json:"limitRange"`
	// Text is the quantity as it is written in the LimitRange.
	Text string `json:"text"`
}

// MemoryRange is what a LimitRange allows. A bound of zero is no bound.
type MemoryRange struct {
	LimitRange string `json:"limitRange"`
	// Type says what is bounded: a Container, or the sum of all containers of a Pod.
	Type string `json:"type" jsonschema:"enum=Container,enum=Pod"`
	// MinBytes bounds requests and limits from below, MaxBytes limits from above.
	MinBytes int64 `json:"minBytes,omitempty"`
	MaxBytes int64 `json:"maxBytes,omitempty"`
	// MaxLimitRequestRatio bounds the limit as a multiple of the request.
	MaxLimitRequestRatio float64 `json:"maxLimitRequestRatio,omitempty"`
}

// LimitRange is what is kept of a LimitRange: what it says about memory. It takes at most 8 KiB.
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

func (l *LimitRange) order() (kind, name string) { return "", l.Name }

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
	if len(all) > maxRanges {
		return narrowest(all)
	}
	return all
}

// memoryRanges returns the bounds of several LimitRanges: of very many the narrowest.
func (w World) memoryRanges(ranges []*LimitRange) []MemoryRange {
	var all []MemoryRange
	n := 0
	for _, r := range ranges {
		n += len(r.Ranges)
		if all = append(all, r.Ranges...); len(all) > 2*maxRanges {
			all = narrowest(all)
		}
	}
	if n > maxRanges {
		all = narrowest(all)
	}
	for i := range all {
		all[i].LimitRange = w.Name(all[i].LimitRange)
	}
	return all
}

// narrowest returns those bounds that count: a request that they allow is allowed by all.
func narrowest(all []MemoryRange) []MemoryRange {
	type bound struct {
		of   string
		kind int
	}
	at := map[bound]int{}
	for i, r := range all {
		for kind, narrow := range r.narrow() {
			key := bound{r.Type, kind}
			if j, ok := at[key]; narrow > 0 && (!ok || narrow > all[j].narrow()[kind]) {
				at[key] = i
			}
		}
	}
	places := slices.Compact(slices.Sorted(maps.Values(at)))
	kept := make([]MemoryRange, len(places))
	for i, place := range places {
		kept[i] = all[place]
	}
	return kept
}

// narrow tells of each bound how narrow it is: a larger number allows less, and 0 is no bound.
func (r MemoryRange) narrow() [3]float64 {
	inverse := func(n float64) float64 {
		if n == 0 {
			return 0
		}
		return 1 / n
	}
	return [3]float64{float64(r.MinBytes), inverse(float64(r.MaxBytes)), inverse(r.MaxLimitRequestRatio)}
}
