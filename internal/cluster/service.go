package cluster

import (
	"maps"
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// maxPorts is how many ports of one Service are kept; hardly any has ten.
const maxPorts = 256

// Service is what is kept of a Service.
type Service struct {
	Namespace, Name string
	// Selector of the pods. A Service without one, or of type ExternalName, has no pods of its own.
	Selector map[string]string
	Ports    []Port
	// MorePorts is true where there are ports that are not among Ports.
	MorePorts bool
}

// Port is a port of a Service.
type Port struct {
	Name     string
	Number   int32
	Target   Target
	Protocol string
}

// Target is the port of a container that a Service sends to, by its name or its number.
type Target struct {
	Name   string
	Number int32
}

// String returns the name or the number.
func (t Target) String() string {
	if t.Name != "" {
		return t.Name
	}
	return strconv.Itoa(int(t.Number))
}

// ServiceOf returns what is kept of a Service.
func ServiceOf(o *corev1.Service) *Service {
	return serviceOf(&o.ObjectMeta, selectorOf(o.Spec.Type, o.Spec.Selector), o.Spec.Ports)
}

// selectorOf returns the selector that counts. A Service of type ExternalName gets no endpoints,
// whatever it selects (k8s.io/kubernetes pkg/controller/endpointslice, syncService).
func selectorOf(t corev1.ServiceType, selector map[string]string) map[string]string {
	if t == corev1.ServiceTypeExternalName {
		return nil
	}
	return selector
}

func serviceOf(meta *metav1.ObjectMeta, selector map[string]string, ports []corev1.ServicePort) *Service {
	s := &Service{Namespace: meta.Namespace, Name: meta.Name, Selector: selector, MorePorts: len(ports) > maxPorts}
	ports = ports[:min(len(ports), maxPorts)]
	if len(ports) > 0 {
		s.Ports = make([]Port, len(ports))
	}
	for i, p := range ports {
		s.Ports[i] = Port{Name: p.Name, Number: p.Port, Target: targetOf(p), Protocol: string(p.Protocol)}
	}
	return s
}

// targetOf returns where a port sends to. Without a target port it is the Service's own
// (k8s.io/kubernetes pkg/apis/core/v1/defaults.go, SetDefaults_Service).
func targetOf(p corev1.ServicePort) Target {
	switch {
	case p.TargetPort.Type == intstr.String && p.TargetPort.StrVal != "":
		return Target{Name: p.TargetPort.StrVal}
	case p.TargetPort.Type == intstr.Int && p.TargetPort.IntVal != 0:
		return Target{Number: p.TargetPort.IntVal}
	}
	return Target{Number: p.Port}
}

func (s *Service) place() (namespace, name string) { return s.Namespace, s.Name }

// found is one pair of the selector: a pod is compared only with the Services that
// share a label with it, however many there are.
func (s *Service) found() []label {
	if len(s.Selector) == 0 {
		return nil
	}
	key := slices.Min(slices.Collect(maps.Keys(s.Selector)))
	return []label{{key, s.Selector[key]}}
}

// Selects reports whether a selector that may be empty, and then selects nothing, selects
// pods with these labels.
func Selects(selector, podLabels map[string]string) bool {
	for key, value := range selector {
		if has, ok := podLabels[key]; !ok || has != value {
			return false
		}
	}
	return len(selector) > 0
}

// ServicesOf returns the Services that send to pods with these labels.
func (s *Store) ServicesOf(namespace string, podLabels map[string]string) List[*Service] {
	return s.Services.selected(orDefault(namespace), maps.All(podLabels), func(o *Service) bool {
		return Selects(o.Selector, podLabels)
	})
}
