package cluster

import "encoding/binary"

// World is what concerns one object: the Store, seen from where the object stands. The
// zero value knows nothing.
type World struct {
	Store *Store
	// Namespace of the object; empty for the default one.
	Namespace string
	// Limited is true for a Pod that the API server asks about. Its plugin LimitRanger has
	// given it the limits of the namespace's LimitRanges before webhooks are asked
	// (k8s.io/kubernetes pkg/kubeapiserver/options/plugins.go, AllOrderedPlugins), so a limit
	// that is absent is known to be absent where LimitRanges are not known. Where they are
	// they still count: another webhook may have added a container since, and the plugin
	// runs once more then.
	Limited bool
}

func (w World) store() *Store {
	if w.Store == nil {
		return &Store{}
	}
	return w.Store
}

// Services returns the Services that send to pods with these labels.
func (w World) Services(podLabels map[string]string) List[*Service] {
	return w.store().ServicesOf(w.Namespace, podLabels)
}

// Pods returns what makes pods that a selector selects.
func (w World) Pods(selector map[string]string) List[*PodTemplate] {
	return w.store().PodsOf(w.Namespace, selector)
}

// NearestPods returns what a selector that selects nothing may have meant; nil for nothing.
func (w World) NearestPods(name string, selector map[string]string) *PodTemplate {
	return w.store().NearestPods(w.Namespace, name, selector)
}

// LimitRanges returns the LimitRanges of the namespace.
func (w World) LimitRanges() List[*LimitRange] {
	return w.store().LimitRanges.In(orDefault(w.Namespace))
}

// DefaultMemoryLimit returns what a LimitRange of the namespace gives to a container that has
// no memory limit; nil for nothing. Where unknown says why, there may be one.
func (w World) DefaultMemoryLimit() (given *LimitRangeDefault, unknown string) {
	ranges := w.LimitRanges()
	if given = defaultOf(ranges.Objects); given != nil || w.Limited {
		return given, ""
	}
	return nil, ranges.Unknown
}

// defaultOf returns the first default: where several are given, that one counts.
func defaultOf(ranges []*LimitRange) *LimitRangeDefault {
	for _, r := range ranges {
		if r.Default != nil {
			return r.Default
		}
	}
	return nil
}

// AppendGenerations appends what tells the answers of this World from those that it gave
// before something changed that findings are made of.
func (w World) AppendGenerations(b []byte) []byte {
	s, namespace := w.store(), orDefault(w.Namespace)
	for _, g := range []Generation{s.Services.Generation(namespace), s.LimitRanges.Generation(namespace)} {
		b = binary.BigEndian.AppendUint64(b, g.Objects)
		b = binary.BigEndian.AppendUint64(b, g.Kind)
	}
	return b
}
