package cluster

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/forestall/forestall/internal/apijson"
	"github.com/forestall/forestall/internal/quantity"
)

// Static is a Source over a fixed set of objects, such as all documents of one
// file audit. Add everything before the first Context; then it is safe for
// concurrent use. The zero value is empty.
type Static struct {
	services map[string]index
	limits   map[string]Context // by namespace, with what its LimitRanges say
	modes    map[string]string  // by namespace
}

// index finds Services by one pair of their selector: a pod is compared only with
// those that share a label with it, however many there are.
type index map[label][]service

type label struct{ key, value string }

type service struct {
	name     string
	selector map[string]string
	ports    []ServicePort
}

// Add takes in one object, as JSON. Objects of kinds that say nothing about pods
// are passed over.
func (s *Static) Add(apiVersion, kind string, raw []byte) error {
	if apiVersion != "v1" {
		return nil
	}
	switch kind {
	case "Service":
		return s.addService(raw)
	case "LimitRange":
		return s.addLimitRange(raw)
	case "Namespace":
		return s.addNamespace(raw)
	}
	return nil
}

// Mode returns what the label of a namespace says.
func (s *Static) Mode(namespace string) string { return s.modes[orDefault(namespace)] }

func (s *Static) addNamespace(raw []byte) error {
	var ns struct {
		Metadata metav1.ObjectMeta `json:"metadata"`
	}
	if err := apijson.Unmarshal(raw, &ns); err != nil {
		return fmt.Errorf("decoding Namespace: %w", err)
	}
	if mode, ok := ns.Metadata.Labels[ModeLabel]; ok {
		if s.modes == nil {
			s.modes = map[string]string{}
		}
		s.modes[ns.Metadata.Name] = mode
	}
	return nil
}

// Context returns the Services and LimitRanges that concern a pod.
func (s *Static) Context(namespace string, podLabels map[string]string) Context {
	ns := orDefault(namespace)
	c := s.limits[ns]
	for key, value := range podLabels {
		for _, svc := range s.services[ns][label{key, value}] {
			if Selects(svc.selector, podLabels) {
				c.Services = append(c.Services, svc.name)
				c.ServicePorts = append(c.ServicePorts, svc.ports...)
			}
		}
	}
	slices.Sort(c.Services)
	c.Services = slices.Compact(c.Services) // the same Service may stand in two files
	slices.SortFunc(c.ServicePorts, compareServicePorts)
	c.ServicePorts = slices.Compact(c.ServicePorts)
	return c
}

func (s *Static) addService(raw []byte) error {
	// Only what is read: a Service with odd fields elsewhere still selects pods.
	var svc struct {
		Metadata metav1.ObjectMeta `json:"metadata"`
		Spec     struct {
			Selector map[string]string `json:"selector"`
			Ports    json.RawMessage   `json:"ports"`
		} `json:"spec"`
	}
	if err := apijson.Unmarshal(raw, &svc); err != nil {
		return fmt.Errorf("decoding Service: %w", err)
	}
	if len(svc.Spec.Selector) == 0 {
		return nil
	}
	if s.services == nil {
		s.services = map[string]index{}
	}
	ns := orDefault(svc.Metadata.Namespace)
	if s.services[ns] == nil {
		s.services[ns] = index{}
	}
	key := slices.Min(slices.Collect(maps.Keys(svc.Spec.Selector)))
	at := label{key, svc.Spec.Selector[key]}
	s.services[ns][at] = append(s.services[ns][at], service{
		name: svc.Metadata.Name, selector: svc.Spec.Selector,
		ports: TargetsOf(svc.Metadata.Name, servicePorts(svc.Spec.Ports)),
	})
	return nil
}

// servicePorts reads the ports of a Service. Where they cannot be read the Service
// still selects pods.
func servicePorts(raw json.RawMessage) []corev1.ServicePort {
	var ports []corev1.ServicePort
	if len(raw) == 0 || apijson.Unmarshal(raw, &ports) != nil {
		return nil
	}
	return ports
}

func compareServicePorts(a, b ServicePort) int {
	return cmp.Or(strings.Compare(a.Service, b.Service), strings.Compare(a.TargetPort, b.TargetPort))
}

func (s *Static) addLimitRange(raw []byte) error {
	var lr struct {
		Metadata metav1.ObjectMeta     `json:"metadata"`
		Spec     corev1.LimitRangeSpec `json:"spec"`
	}
	// Only one that the fast decoder refuses, and that holds such a number anywhere, is refused unread.
	if err := apijson.UnmarshalQuantities(raw, &lr, func() error { return quantity.ErrHuge }); err != nil {
		return fmt.Errorf("decoding LimitRange: %w", err)
	}
	if s.limits == nil {
		s.limits = map[string]Context{}
	}
	ns := orDefault(lr.Metadata.Namespace)
	limits := s.limits[ns]
	limits.AddLimitRange(lr.Metadata.Name, lr.Spec)
	s.limits[ns] = limits
	return nil
}

// orDefault is the namespace that kubectl would use for an object without one.
func orDefault(namespace string) string {
	if namespace == "" {
		return metav1.NamespaceDefault
	}
	return namespace
}
