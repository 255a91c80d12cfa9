package cluster

import (
	"errors"
	"maps"
	"math"

	"github.com/forestall/forestall/internal/budget"
	"github.com/forestall/forestall/internal/workload"
)

// PodTemplate is what is kept of a Pod, or of an object that makes Pods. It decides which
// Services send to the pods, and to which ports.
type PodTemplate struct {
	// Kind, Namespace and Name of the object.
	Kind, Namespace, Name string
	// Labels of its pods.
	Labels map[string]string
	// HostNetwork is true where its pods are on the network of their node.
	HostNetwork bool
	// Containers are those that a Service can send to: the sidecars and the regular ones
	// (k8s.io/kubernetes pkg/api/v1/pod/util.go, FindPort).
	Containers []TemplateContainer
}

// TemplateContainer is a container with the ports that it declares.
type TemplateContainer struct {
	Name  string
	Ports []ContainerPort
}

// ContainerPort is a declared port.
type ContainerPort struct {
	Name     string
	Number   int32
	Protocol string
}

// place puts the kind before the name, since a Deployment and a Job may have the same one.
func (p *PodTemplate) place() (namespace, name string) { return p.Namespace, p.Kind + "/" + p.Name }

func (p *PodTemplate) order() (kind, name string) { return p.Kind, p.Name }

func (p *PodTemplate) found() []label {
	all := make([]label, 0, len(p.Labels))
	for key, value := range p.Labels {
		all = append(all, label{key, value})
	}
	return all
}

// PodsOf returns the objects whose pods a selector selects. It takes a step for each label of the
// selector, and for each object that has the rarest of them.
func (s *Store) PodsOf(b *budget.Budget, namespace string, selector map[string]string) List[*PodTemplate] {
	b = b.OrDefault()
	b.Spend(len(selector))
	rarest := s.PodTemplates.rarest(orDefault(namespace), selector)
	match := func(o *PodTemplate) bool { return Selects(selector, o.Labels) }
	found := s.PodTemplates.selected(b, orDefault(namespace), maps.All(rarest), math.MaxInt/2, match)
	if found.Unknown == "" {
		found.Unknown = s.maker(orDefault(namespace))
	}
	if found.Unknown == "" && len(selector) > 0 {
		found.Unknown = s.podsIn.why(namespace)
		s.podsIn.miss(found.Unknown)
	}
	return found
}

// maxAlike is how many objects a label may have that tells which of them a selector meant. Many Services beside
// many pods of one label would each look at all of them.
const maxAlike = 256

// NearestPods returns the object whose pods have the most labels of a selector or, if none has
// any, the object of that name; nil if there is neither, or if the budget is spent. It is for
// selectors that select nothing.
func (s *Store) NearestPods(b *budget.Budget, namespace, name string, selector map[string]string) *PodTemplate {
	b = b.OrDefault()
	var nearest *PodTemplate
	most := 0
	for o, n := range s.PodTemplates.shared(b, orDefault(namespace), selector, maxAlike) {
		if n > most || n == most && (o.Name < nearest.Name || o.Name == nearest.Name && o.Kind < nearest.Kind) {
			nearest, most = o, n
		}
	}
	if b.Err() != nil {
		return nil
	}
	for _, kind := range []string{"Deployment", "StatefulSet", "DaemonSet"} {
		if nearest == nil {
			nearest = s.PodTemplates.Get(orDefault(namespace), kind+"/"+name).Object
		}
	}
	return nearest
}

// addPodTemplate takes in an object that makes pods, or may. What cannot be read of it is
// reported when it is judged. An object of the kind PodTemplate is left out: it makes no pods by
// itself.
func (s *Store) addPodTemplate(apiVersion, kind string, raw []byte) {
	v, err := s.Kinds.FromObject(raw)
	switch {
	case errors.Is(err, workload.ErrNotJudged):
		s.addMaker(apiVersion, kind, raw)
	case err != nil:
		s.PodTemplates.Known(unread)
	case v.Partial(raw) != "":
		s.PodTemplates.Known(partly)
	case v.TemplatePath != "template":
		s.podsIn.add(v.Meta.Namespace, v.Kind, v.DisplayName())
		add(&s.PodTemplates, podTemplateOf(v))
	}
}

// partly is why pod templates are not complete: the part may change ports and labels of a whole one.
const partly = "the files hold a part of an object, such as a patch"

func podTemplateOf(v *workload.View) *PodTemplate {
	p := &PodTemplate{
		Kind: v.Kind, Namespace: orDefault(v.Meta.Namespace), Name: v.DisplayName(),
		Labels: v.PodMeta.Labels, HostNetwork: v.PodSpec.HostNetwork,
	}
	for i := range v.Containers {
		if c := &v.Containers[i]; c.Kind == workload.Regular || c.Kind == workload.Sidecar {
			p.Containers = append(p.Containers, templateContainer(c))
		}
	}
	return p
}

func templateContainer(c *workload.Container) TemplateContainer {
	kept := TemplateContainer{Name: c.Name}
	for _, p := range c.Ports {
		kept.Ports = append(kept.Ports, ContainerPort{Name: p.Name, Number: p.ContainerPort, Protocol: string(p.Protocol)})
	}
	return kept
}
