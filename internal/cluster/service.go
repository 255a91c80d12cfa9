package cluster

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/forestall/forestall/internal/budget"
)

// Service is what is kept of a Service. It takes at most 8 KiB, whatever the object is.
type Service struct {
	Namespace, Name string
	// Selector of the pods. A Service without one, or of type ExternalName, has no pods of its own.
	Selector map[string]string
	// MoreSelector is true where the selector has other pairs than those in Selector: nobody knows
	// then which pods it selects.
	MoreSelector bool
	// Targets are the different ports of containers that the Service sends to, sorted.
	Targets []Target
	// MoreTargets is true where there are targets that are not among Targets.
	MoreTargets bool
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

// maxTargetName is the length of the longest target that has a name, in bytes. The API server
// accepts 15 (k8s.io/apimachinery pkg/util/validation, IsValidPortName).
const maxTargetName = 63

// ServiceOf returns what is kept of a Service.
func ServiceOf(o *corev1.Service) *Service {
	s := &Service{Namespace: o.Namespace, Name: o.Name}
	s.Selector, s.MoreSelector = kept(selectorOf(o.Spec.Type, o.Spec.Selector))
	s.Targets, s.MoreTargets = targetsOf(o.Spec.Ports)
	return s
}

// selectorOf returns the selector that counts. A Service of type ExternalName gets no endpoints,
// whatever it selects (k8s.io/kubernetes pkg/controller/endpointslice, syncService).
func selectorOf(t corev1.ServiceType, selector map[string]string) map[string]string {
	if t == corev1.ServiceTypeExternalName {
		return nil
	}
	return selector
}

// targetsOf returns the different targets of ports, as many as are kept, and whether there are more.
func targetsOf(ports []corev1.ServicePort) (targets []Target, more bool) {
	seen := make(map[Target]bool, min(len(ports), maxTargets))
	for i := range ports {
		t := targetOf(&ports[i])
		switch {
		case seen[t]:
			continue
		case len(seen) == maxTargets, len(t.Name) > maxTargetName:
			more = true
			continue
		}
		t.Name = strings.Clone(t.Name)
		seen[t] = true
	}
	if len(seen) == 0 {
		return nil, more
	}
	byText := func(a, b Target) int { return cmp.Compare(a.String(), b.String()) }
	return slices.SortedFunc(maps.Keys(seen), byText), more
}

// targetOf returns where a port sends to. Without a target port it is the Service's own
// (k8s.io/kubernetes pkg/apis/core/v1/defaults.go, SetDefaults_Service).
func targetOf(p *corev1.ServicePort) Target {
	switch {
	case p.TargetPort.Type == intstr.String && p.TargetPort.StrVal != "":
		return Target{Name: p.TargetPort.StrVal}
	case p.TargetPort.Type == intstr.Int && p.TargetPort.IntVal != 0:
		return Target{Number: p.TargetPort.IntVal}
	}
	return Target{Number: p.Port}
}

func (s *Service) place() (namespace, name string) { return s.Namespace, s.Name }

func (s *Service) order() (kind, name string) { return "", s.Name }

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

// ServicesOf returns the Services that send to pods with these labels. It takes a step for each
// that shares a label with them; a nil budget stands for the default one.
func (s *Store) ServicesOf(b *budget.Budget, namespace string, podLabels map[string]string) List[*Service] {
	var perhaps bool
	found := s.Services.selected(b.OrDefault(), orDefault(namespace), maps.All(podLabels), maxSelecting, func(o *Service) bool {
		selects := Selects(o.Selector, podLabels)
		perhaps = perhaps || selects && o.MoreSelector
		return selects && !o.MoreSelector
	})
	if perhaps && found.Unknown == "" {
		found.Unknown = "the selector of one of them is too long to be kept"
	}
	return found
}
