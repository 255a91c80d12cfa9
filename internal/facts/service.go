package facts

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/forestall/forestall/internal/budget"
	"github.com/forestall/forestall/internal/cluster"
	"github.com/forestall/forestall/internal/facts/fact"
)

// Service is what is observed about a Service beside the pod templates of its namespace.
type Service struct {
	Name string `json:"name"`
	// Selects says whether there is anything whose pods the Service selects.
	Selects Selects `json:"selects"`
	// Targets is absent where a port is known to lead to no container of the selected pods.
	Targets fact.Observation `json:"targets"`
	Ports   []ServedPort     `json:"ports,omitempty"`
}

// Selects is what a Service selects. It is unknown where the Service has no selector, or
// where there may be pods that nobody knows of.
type Selects struct {
	fact.Observation
	// Labels that the selector asks for.
	Labels map[string]string `json:"labels,omitempty"`
	// Templates are the objects whose pods are selected, the first of them by name.
	Templates []Template `json:"templates,omitempty"`
	// Nearest is an object that has some of the labels, or the name of the Service, where
	// nothing is selected.
	Nearest *Template `json:"nearest,omitempty"`
}

// Template is an object that makes pods.
type Template struct {
	Kind string `json:"kind"`
	Name string `json:"name"`
	// Labels of its pods, as far as the selector asks for them by key.
	Labels map[string]string `json:"labels"`
}

// ServedPort is a port of a Service.
type ServedPort struct {
	Name string `json:"name,omitempty"`
	Port int32  `json:"port"`
	// TargetPort is the name or the number of the container's port.
	TargetPort string `json:"targetPort"`
	Protocol   string `json:"protocol"`
	// Target says whether a container of the selected pods declares a port with that name and
	// protocol. A number needs no declaration: it is unknown whether anything listens.
	Target fact.Observation `json:"target"`
	// Declared are the ports with a name that the selected pods have, where Target is absent.
	Declared []NamedPort `json:"declared,omitempty"`
}

// NamedPort is a port that a container declares under a name.
type NamedPort struct {
	Name     string `json:"name"`
	Number   int32  `json:"number"`
	Protocol string `json:"protocol"`
}

// maxTemplates bounds the templates, and maxNamedPorts the ports, that are told of one Service.
const (
	maxTemplates  = 8
	maxNamedPorts = 16
)

func readService(raw []byte, o *Other) error {
	s, err := cluster.ReadService(raw)
	if err != nil {
		return err
	}
	o.content = s
	o.observe = func(b *budget.Budget, w cluster.World) Facts { return Facts{Service: observeService(b, s, w)} }
	o.Names = make(map[string]string, len(s.Ports))
	for i, p := range s.Ports {
		o.Names[portPath(i)] = cmp.Or(p.Name, strconv.Itoa(int(p.Number)))
	}
	return nil
}

func portPath(i int) string { return fmt.Sprintf("spec.ports[%d]", i) }

func observeService(b *budget.Budget, s *cluster.ServiceSpec, w cluster.World) *Service {
	pods := w.Pods(b, s.Selector)
	named := namedPorts(b, pods)
	if b.Spend(len(pods.Objects) + len(s.Ports)); b.Err() != nil {
		pods.Unknown = b.Err().Error()
	}
	f := &Service{Name: s.Name, Selects: selects(b, s, w, pods), Targets: fact.UnknownAt("spec.ports", "nothing is known of the selected pods")}
	declared := make(map[[2]string]bool, len(named))
	for _, n := range named {
		declared[[2]string{n.Name, n.Protocol}] = true
	}
	for i := range s.Ports {
		f.Ports = append(f.Ports, servedPort(i, &s.Ports[i], &f.Selects, declared, named, pods.Unknown))
	}
	if f.Selects.Is(fact.Present) {
		f.Targets = fact.PresentAt("spec.ports")
	}
	for _, p := range f.Ports {
		if p.Target.Is(fact.Absent) {
			f.Targets = p.Target
			break
		}
	}
	return f
}

func selects(b *budget.Budget, s *cluster.ServiceSpec, w cluster.World, pods cluster.List[*cluster.PodTemplate]) Selects {
	const path = "spec.selector"
	f := Selects{Labels: s.Selector}
	for _, t := range pods.Objects[:min(len(pods.Objects), maxTemplates)] {
		f.Templates = append(f.Templates, templateOf(t, s.Selector))
	}
	switch {
	case len(s.Selector) == 0:
		f.Observation = fact.UnknownAt(path, "no pods are asked for: somebody else writes the endpoints, or it is an ExternalName")
	case len(pods.Objects) > 0:
		f.Observation = fact.PresentAt(path)
	case pods.Unknown != "":
		f.Observation = fact.UnknownAt(path, pods.Unknown)
	default:
		f.Observation = fact.AbsentAt(path)
		if near := w.NearestPods(b, s.Name, s.Selector); near != nil {
			nearest := templateOf(near, s.Selector)
			f.Nearest = &nearest
		}
	}
	return f
}

func templateOf(t *cluster.PodTemplate, selector map[string]string) Template {
	labels := map[string]string{}
	for key := range selector {
		if value, ok := t.Labels[key]; ok {
			labels[key] = value
		}
	}
	return Template{Kind: t.Kind, Name: t.Name, Labels: labels}
}

// namedPorts are the ports that any of the selected pods declares under a name, each once and
// sorted; not all of them where the budget is spent.
func namedPorts(b *budget.Budget, pods cluster.List[*cluster.PodTemplate]) []NamedPort {
	var all []NamedPort
	for _, t := range pods.Objects {
		for _, c := range t.Containers {
			if !b.Spend(1 + len(c.Ports)) {
				return nil
			}
			for _, p := range c.Ports {
				if p.Name != "" {
					all = append(all, NamedPort{Name: p.Name, Number: p.Number, Protocol: cmp.Or(p.Protocol, "TCP")})
				}
			}
		}
	}
	slices.SortFunc(all, func(a, b NamedPort) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Number, b.Number), cmp.Compare(a.Protocol, b.Protocol))
	})
	return slices.Compact(all)
}

// servedPort looks for the target among the ports of the selected pods, by name and protocol
// (k8s.io/kubernetes pkg/api/v1/pod/util.go, FindPort). declared holds the names and protocols of the named ones.
func servedPort(i int, p *cluster.Port, s *Selects, declared map[[2]string]bool, named []NamedPort, unknown string) ServedPort {
	path := portPath(i) + ".targetPort"
	f := ServedPort{Name: p.Name, Port: p.Number, TargetPort: p.Target.String(), Protocol: cmp.Or(p.Protocol, "TCP")}
	switch {
	case p.Target.Name == "":
		f.Target = fact.UnknownAt(path, "a number needs no declaration")
	case !s.Is(fact.Present):
		f.Target = fact.UnknownAt(path, "no pods are known that the Service selects")
	case declared[[2]string{f.TargetPort, f.Protocol}]:
		f.Target = fact.PresentAt(path)
	case unknown != "":
		f.Target = fact.UnknownAt(path, unknown)
	default:
		f.Target = fact.AbsentAt(path)
		f.Declared = named[:min(len(named), maxNamedPorts)]
	}
	return f
}
