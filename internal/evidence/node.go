package evidence

import (
	"cmp"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/forestall/forestall/internal/finding"
)

// Node is a node of a cluster, and what may be asked of it.
type Node struct {
	Name string `json:"name"`
	// Ready is false while the node is NotReady or Unknown, since when ReadySince says. Flaps is how many events say
	// that it became NotReady; a cluster keeps events for an hour, unless it is told otherwise.
	Ready      bool      `json:"ready"`
	ReadySince time.Time `json:"readySince,omitzero"`
	Flaps      int       `json:"flaps,omitempty"`
	// Pressure are the conditions that are true and should not be: MemoryPressure, DiskPressure, PIDPressure.
	Pressure []string `json:"pressure,omitempty"`
	// SystemOOMs is how many events say that the kernel killed a process because the node had no memory left.
	SystemOOMs int `json:"systemOOMs,omitempty"`
	// Pods that run on it, and those of them with a container without a memory limit.
	Pods      int `json:"pods"`
	Unlimited int `json:"unlimited"`
	// Memory is what the node can give to pods (status.allocatable), and Limits what the memory limits of its
	// pods add up to, in bytes. Where Limits is more, not all can have what they may take.
	Memory int64 `json:"memory"`
	Limits int64 `json:"limits"`
}

// Overcommitted reports whether the memory limits on the node add up to more than it has.
func (n Node) Overcommitted() bool { return n.Limits > n.Memory }

// InTrouble reports whether the node is not as it should be, apart from what its pods may take.
func (n Node) InTrouble() bool {
	return !n.Ready || n.Flaps > 0 || n.SystemOOMs > 0 || len(n.Pressure) > 0
}

// tally is a node as it is kept. Pods and events may name one that is gone, which is not listed.
type tally struct {
	Node
	listed bool
}

// flapKey tells apart who says of which node that it became NotReady: the kubelet and the node controller both do
// (k8s.io/kubernetes pkg/kubelet/kubelet_node_status.go, pkg/controller/util/node/controller_utils.go).
type flapKey struct{ node, by string }

// nodeEvent counts what events say about nodes. They name them by name; their uid is at times the name, too.
func (c *Collector) nodeEvent(e *corev1.Event, count int) {
	switch e.Reason {
	case "NodeNotReady":
		c.flaps[flapKey{e.InvolvedObject.Name, cmp.Or(e.Source.Component, e.ReportingController)}] += count
	case "SystemOOM", "OOMKilling":
		c.node(e.InvolvedObject.Name).SystemOOMs += count
	}
}

// node returns what is kept of a node.
func (c *Collector) node(name string) *tally {
	n := c.nodes[name]
	if n == nil {
		n = &tally{Node: Node{Name: name, Ready: true}}
		c.nodes[name] = n
	}
	return n
}

// Node takes in a node.
func (c *Collector) Node(n *corev1.Node) {
	kept := c.node(n.Name)
	kept.listed, kept.Memory = true, n.Status.Allocatable.Memory().Value()
	for _, condition := range n.Status.Conditions {
		switch condition.Type {
		case corev1.NodeReady:
			kept.Ready, kept.ReadySince = condition.Status == corev1.ConditionTrue, condition.LastTransitionTime.Time
		case corev1.NodeMemoryPressure, corev1.NodeDiskPressure, corev1.NodePIDPressure:
			if condition.Status == corev1.ConditionTrue {
				kept.Pressure = append(kept.Pressure, string(condition.Type))
			}
		}
	}
}

// onNode counts a pod on its node, and says where the node is at fault.
func (c *Collector) onNode(r *reading) {
	name := r.pod.Spec.NodeName
	if name == "" {
		return
	}
	n := c.node(name)
	n.Pods++
	limit, unlimited := memoryLimit(&r.pod.Spec)
	n.Limits += limit
	if unlimited {
		n.Unlimited++
	}
	if !n.Ready && !r.ready() {
		r.add(finding.Symptom{Kind: finding.OnNode, Reason: "NodeNotReady", Message: "node " + name, Last: n.ReadySince})
	}
}

// memoryLimit is what the containers of a pod may take together, and whether one of them has no limit. It is what the
// kubelet counts: init containers run one after another, each beside the sidecars that were started before it
// (k8s.io/component-helpers/resource, PodLimits), and a limit of the pod holds for all of them.
func memoryLimit(s *corev1.PodSpec) (bytes int64, unlimited bool) {
	if s.Resources != nil {
		if q, ok := s.Resources.Limits[corev1.ResourceMemory]; ok {
			return q.Value() + s.Overhead.Memory().Value(), false
		}
	}
	var sidecars, most int64
	for i := range s.InitContainers {
		limit, ok := s.InitContainers[i].Resources.Limits[corev1.ResourceMemory]
		unlimited = unlimited || !ok
		most = max(most, sidecars+limit.Value())
		if p := s.InitContainers[i].RestartPolicy; p != nil && *p == corev1.ContainerRestartPolicyAlways {
			sidecars += limit.Value()
		}
	}
	bytes = sidecars
	for i := range s.Containers {
		limit, ok := s.Containers[i].Resources.Limits[corev1.ResourceMemory]
		unlimited = unlimited || !ok
		bytes += limit.Value()
	}
	return max(bytes, most) + s.Overhead.Memory().Value(), unlimited
}

// Nodes are the nodes, those in trouble first, then those whose limits add up to most of what they have.
func (c *Collector) Nodes() []Node {
	all := make([]Node, 0, len(c.nodes))
	for name, n := range c.nodes {
		if !n.listed {
			continue
		}
		kept := n.Node
		for by, count := range c.flaps {
			if by.node == name {
				kept.Flaps = max(kept.Flaps, count)
			}
		}
		all = append(all, kept)
	}
	slices.SortFunc(all, func(a, b Node) int {
		return cmp.Or(cmp.Compare(rank(b), rank(a)), cmp.Compare(b.share(), a.share()), cmp.Compare(a.Name, b.Name))
	})
	return all
}

// rank is how soon a person should look at the node.
func rank(n Node) int {
	switch {
	case !n.Ready:
		return 3
	case n.InTrouble():
		return 2
	case n.Overcommitted():
		return 1
	}
	return 0
}

// share is how much of the node's memory the limits of its pods come to.
func (n Node) share() float64 { return float64(n.Limits) / float64(max(n.Memory, 1)) }
