package cluster

import (
	"encoding/json"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/forestall/forestall/internal/apijson"
)

// maxPorts is how many ports of one Service are judged; hardly any has ten.
const maxPorts = 256

// ServiceSpec is what is judged of a Service.
type ServiceSpec struct {
	Namespace, Name string
	// Selector of the pods; none for a Service that has no pods of its own.
	Selector map[string]string
	Ports    []Port
}

// Port is a port of a Service.
type Port struct {
	Name     string
	Number   int32
	Target   Target
	Protocol string
}

// ReadService decodes a Service that is judged, as JSON. Ports that cannot be read are left out.
func ReadService(raw []byte) (*ServiceSpec, error) {
	o, _, err := decodeService(raw)
	if err != nil {
		return nil, err
	}
	s := &ServiceSpec{Namespace: o.Namespace, Name: o.Name, Selector: selectorOf(o.Spec.Type, o.Spec.Selector)}
	ports := o.Spec.Ports[:min(len(o.Spec.Ports), maxPorts)]
	if len(ports) > 0 {
		s.Ports = make([]Port, len(ports))
	}
	for i := range ports {
		p := &ports[i]
		s.Ports[i] = Port{Name: p.Name, Number: p.Port, Target: targetOf(p), Protocol: string(p.Protocol)}
	}
	return s, nil
}

// decodeService decodes what is read of a Service: one with odd fields elsewhere still selects
// pods. It tells whether there are ports that cannot be read.
func decodeService(raw []byte) (s *corev1.Service, strange bool, err error) {
	var o struct {
		Metadata metav1.ObjectMeta `json:"metadata"`
		Spec     struct {
			Type     corev1.ServiceType `json:"type"`
			Selector map[string]string  `json:"selector"`
			Ports    json.RawMessage    `json:"ports"`
		} `json:"spec"`
	}
	if err := apijson.Unmarshal(raw, &o); err != nil {
		return nil, false, err
	}
	s = &corev1.Service{ObjectMeta: o.Metadata, Spec: corev1.ServiceSpec{Type: o.Spec.Type, Selector: o.Spec.Selector}}
	if len(o.Spec.Ports) > 0 && apijson.Unmarshal(o.Spec.Ports, &s.Spec.Ports) != nil {
		s.Spec.Ports, strange = nil, true
	}
	s.Namespace = orDefault(s.Namespace)
	return s, strange, nil
}
