package cluster

import (
	"encoding/binary"

	"github.com/forestall/forestall/internal/budget"
)

// World is the Store as it concerns one object: seen from the object's namespace. The zero
// value knows nothing.
type World struct {
	Store *Store
	// Namespace of the object; empty for the default one.
	Namespace string
	// Limited is true for a Pod in an admission request. The API server's plugin LimitRanger
	// has already given it the limits of the LimitRanges (k8s.io/kubernetes
	// pkg/kubeapiserver/options/plugins.go, AllOrderedPlugins), so a limit that is missing is
	// known to be missing, even where LimitRanges are unknown. Where they are known they still
	// count: another webhook may have added a container since, and then the plugin runs once
	// more.
	Limited bool
	// HideNames says that nothing in the answers names another object: who asks may not be allowed to
	// know it. The verdicts of rules stay the same.
	HideNames bool
}

// Hidden stands in the place of the name of another object that is not told.
const Hidden = "(hidden)"

// Name returns the name of another object, as far as it may be told.
func (w World) Name(of string) string {
	if w.HideNames {
		return Hidden
	}
	return of
}

func (w World) store() *Store {
	if w.Store == nil {
		return &Store{}
	}
	return w.Store
}

// Services returns the Services that send to pods with these labels. Their names are those that they
// have: Name tells which may be told.
func (w World) Services(b *budget.Budget, podLabels map[string]string) List[*Service] {
	return w.store().ServicesOf(b, w.Namespace, podLabels)
}

// Pods returns what makes pods that a selector selects.
func (w World) Pods(b *budget.Budget, selector map[string]string) List[*PodTemplate] {
	return w.store().PodsOf(b, w.Namespace, selector)
}

// NearestPods returns what a selector that selects nothing may have meant; nil if nothing is
// like it.
func (w World) NearestPods(b *budget.Budget, name string, selector map[string]string) *PodTemplate {
	return w.store().NearestPods(b, w.Namespace, name, selector)
}

// LimitRanges returns the LimitRanges of the namespace.
func (w World) LimitRanges() List[*LimitRange] {
	return w.store().LimitRanges.In(orDefault(w.Namespace))
}

// DefaultMemoryLimit returns the memory limit that a LimitRange of the namespace gives to a
// container without one; nil for none. If unknown is not empty there may be one, and unknown says
// why.
func (w World) DefaultMemoryLimit() (given *LimitRangeDefault, unknown string) {
	ranges := w.LimitRanges()
	if given = w.named(defaultOf(ranges.Objects)); given != nil || w.Limited {
		return given, ""
	}
	if ranges.Unknown == "" {
		ranges.Unknown = w.store().limitsIn.why(w.Namespace)
		w.store().limitsIn.miss(ranges.Unknown)
	}
	return nil, ranges.Unknown
}

// defaultOf returns the first default: it counts where several LimitRanges set one.
func defaultOf(ranges []*LimitRange) *LimitRangeDefault {
	for _, r := range ranges {
		if r.Default != nil {
			return r.Default
		}
	}
	return nil
}

// named returns a default with the name of its LimitRange, as far as that may be told.
func (w World) named(d *LimitRangeDefault) *LimitRangeDefault {
	if d == nil || !w.HideNames {
		return d
	}
	return &LimitRangeDefault{LimitRange: w.Name(d.LimitRange), Text: d.Text}
}

// AppendGenerations appends bytes that change whenever something changes that findings are made
// of. While they are the same, so are the answers of this World.
func (w World) AppendGenerations(b []byte) []byte {
	s, namespace := w.store(), orDefault(w.Namespace)
	for _, g := range []Generation{s.Services.Generation(namespace), s.LimitRanges.Generation(namespace)} {
		b = binary.BigEndian.AppendUint64(b, g.Objects)
		b = binary.BigEndian.AppendUint64(b, g.Kind)
	}
	return b
}
