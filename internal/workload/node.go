package workload

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// simulated are the values that KWOK's documentation gives the label type of its nodes, and its own
// label (https://kwok.sigs.k8s.io/docs/user/kwok-manage-nodes-and-pods/). Nothing runs there: the
// status of a pod is made up.
func simulated() map[string][]string {
	return map[string][]string{"type": {"kwok"}, "kwok.x-k8s.io/node": nil}
}

// virtual are labels and taints of virtual nodes with their values; nil where any value is one. Such
// nodes are as large as somebody told them to be: they are simulated, or stand for a cloud or another cluster
// (https://virtual-kubelet.io/docs/, https://docs.liqo.io/).
func virtual() map[string][]string {
	return map[string][]string{
		"type":                             {"kwok", "virtual-kubelet", "virtual-node"},
		"kwok.x-k8s.io/node":               nil,
		"virtual-kubelet.io/provider":      nil,
		"azure.com/aci":                    nil,
		"liqo.io/type":                     {"virtual-node"},
		"virtual-node.liqo.io/not-allowed": nil,
	}
}

// Simulated says whether the pod runs on simulated nodes alone, where nothing fails.
func (v *View) Simulated() bool {
	nodes := simulated()
	for label, value := range v.PodSpec.NodeSelector {
		if names(nodes, label, value) {
			return true
		}
	}
	terms := requiredTerms(&v.PodSpec)
	return len(terms) > 0 && !slices.ContainsFunc(terms, func(t corev1.NodeSelectorTerm) bool { return !asks(nodes, t) })
}

// VirtualNode is the path of the field by which the pod asks for a virtual node or accepts one; empty
// where none does. Who accepts every taint does not mean one.
func (v *View) VirtualNode() string {
	nodes, spec := virtual(), &v.PodSpec
	for label, value := range spec.NodeSelector {
		if names(nodes, label, value) {
			return v.SpecPath + ".nodeSelector"
		}
	}
	for i := range spec.Tolerations {
		if t := &spec.Tolerations[i]; names(nodes, t.Key, t.Value) {
			return fmt.Sprintf("%s.tolerations[%d]", v.SpecPath, i)
		}
	}
	for _, term := range slices.Concat(requiredTerms(spec), preferredTerms(spec)) {
		if asks(nodes, term) {
			return v.SpecPath + ".affinity.nodeAffinity"
		}
	}
	return ""
}

// names says whether a label or taint with this value is that of one of the nodes.
func names(nodes map[string][]string, key, value string) bool {
	values, ok := nodes[key]
	return ok && (values == nil || slices.Contains(values, value))
}

// asks says whether a term selects none but the nodes.
func asks(nodes map[string][]string, term corev1.NodeSelectorTerm) bool {
	return slices.ContainsFunc(term.MatchExpressions, func(r corev1.NodeSelectorRequirement) bool {
		switch values, ok := nodes[r.Key]; {
		case !ok:
			return false
		case r.Operator == corev1.NodeSelectorOpIn:
			return !slices.ContainsFunc(r.Values, func(value string) bool { return !names(nodes, r.Key, value) })
		default:
			return r.Operator == corev1.NodeSelectorOpExists && values == nil
		}
	})
}

func requiredTerms(spec *corev1.PodSpec) []corev1.NodeSelectorTerm {
	if a := spec.Affinity; a != nil && a.NodeAffinity != nil && a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution != nil {
		return a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms
	}
	return nil
}

func preferredTerms(spec *corev1.PodSpec) []corev1.NodeSelectorTerm {
	if spec.Affinity == nil || spec.Affinity.NodeAffinity == nil {
		return nil
	}
	preferred := spec.Affinity.NodeAffinity.PreferredDuringSchedulingIgnoredDuringExecution
	terms := make([]corev1.NodeSelectorTerm, 0, len(preferred))
	for i := range preferred {
		terms = append(terms, preferred[i].Preference)
	}
	return terms
}
