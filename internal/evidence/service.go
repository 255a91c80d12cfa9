package evidence

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"

	"github.com/forestall/forestall/internal/finding"
)

// What a Service lacks.
const (
	noEndpoints = "none"
	noPorts     = "noPorts"
)

// endpoints is what a Service has.
type endpoints struct{ ready, ports bool }

// service is a Service that cannot be reached.
type service struct {
	name     string
	lacks    string
	selector labels.Selector
	// pods that it selects, and those of them that are Ready.
	pods, ready int
}

// EndpointSlice takes in endpoints of a Service. Of an endpoint that says nothing of its readiness it is assumed
// (k8s.io/api/discovery/v1 EndpointConditions).
func (c *Collector) EndpointSlice(e *discoveryv1.EndpointSlice) {
	at := types.NamespacedName{Namespace: e.Namespace, Name: e.Labels[discoveryv1.LabelServiceName]}
	if at.Name == "" {
		return
	}
	ready := slices.ContainsFunc(e.Endpoints, func(p discoveryv1.Endpoint) bool {
		return len(p.Addresses) > 0 && (p.Conditions.Ready == nil || *p.Conditions.Ready)
	})
	has := c.served[at]
	c.served[at] = endpoints{ready: has.ready || ready, ports: has.ports || ready && len(e.Ports) > 0}
}

// Service takes in a Service. It is kept where it selects pods, and has no ready endpoint or no port.
func (c *Collector) Service(s *corev1.Service) {
	if len(s.Spec.Selector) == 0 || s.Spec.Type == corev1.ServiceTypeExternalName {
		return
	}
	has := c.served[types.NamespacedName{Namespace: s.Namespace, Name: s.Name}]
	lacks := noEndpoints
	switch {
	case has.ready && (has.ports || len(s.Spec.Ports) == 0):
		return
	case has.ready:
		lacks = noPorts
	}
	c.unserved[s.Namespace] = append(c.unserved[s.Namespace], &service{
		name: s.Name, lacks: lacks, selector: labels.SelectorFromSet(s.Spec.Selector),
	})
}

// endpointsFor counts the pod with the Services that cannot be reached, and says so of a pod that is at fault.
func (c *Collector) endpointsFor(r *reading) {
	ready := r.ready()
	for _, s := range c.unserved[r.pod.Namespace] {
		if !s.selector.Matches(labels.Set(r.pod.Labels)) {
			continue
		}
		s.pods++
		if ready {
			s.ready++
			continue
		}
		if len(r.symptoms) > 0 {
			r.add(finding.Symptom{
				Kind: finding.Endpoints, Reason: s.lacks, Message: fmt.Sprintf("Service %s has no ready endpoint", s.name), Over: !r.failing(),
			})
		}
	}
}

// endpointsOf is what is wrong with a Service itself. Where it selects nothing, or nothing that is Ready, that is
// no trouble of its own.
func (c *Collector) endpointsOf(of finding.Object) []finding.Symptom {
	for _, s := range c.unserved[of.Namespace] {
		if s.name != of.Name {
			continue
		}
		text := map[string]string{noEndpoints: "no ready endpoint", noPorts: "ready endpoints, and none of them has a port"}[s.lacks]
		return []finding.Symptom{{
			Kind: finding.Endpoints, Reason: s.lacks, Pods: s.pods, Over: s.ready == 0,
			Message: fmt.Sprintf("%s; of %s that it selects %d are Ready", text, counted(s.pods, "pod"), s.ready),
		}}
	}
	return nil
}
