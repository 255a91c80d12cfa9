package facts

import (
	"slices"

	"github.com/forestall/forestall/internal/budget"
	"github.com/forestall/forestall/internal/cluster"
	"github.com/forestall/forestall/internal/facts/fact"
	"github.com/forestall/forestall/internal/facts/port"
	"github.com/forestall/forestall/internal/workload"
)

// Gate is a container whose readiness decides over Services that do not send to it:
// it declares none of their target ports, another container of the pod does, and that one
// does not mention a port of this one, as what forwards to it would.
type Gate struct {
	fact.Observation
	// Services that send to another container, sorted: the first of them.
	Services []string `json:"services,omitempty"`
	// MoreServices is how many others there are: each container that decides over thousands would list them all.
	MoreServices int `json:"moreServices,omitempty"`
	// To is the container that the first of them sends to.
	To string `json:"to,omitempty"`
}

// maxGated is how many Services are named: as many as texts list.
const maxGated = 6

// observeGates looks at the containers with a readiness probe beside those that the pod's
// Services send to. The Services are asked for only where there is such a container, and
// another one.
func observeGates(b *budget.Budget, v *workload.View, w cluster.World, containers []Container) {
	var to *targets
	for i := range containers {
		c := &containers[i]
		c.Gate = Gate{Observation: fact.AbsentAt(c.Probes.Readiness.Path)}
		if len(containers) == 1 || !c.Probes.Readiness.Is(fact.Present) {
			continue
		}
		if to == nil {
			found := w.Services(b, v.PodMeta.Labels)
			if !b.Spend(sizeOf(found)) {
				return // what was not looked at is made unknown for all
			}
			to = targetsOf(w, found, containers)
			to.read(b, v, containers)
		}
		c.Gate = to.gate(c)
	}
}

// targets is where the Services of a pod send to, as far as containers of it declare it: the ports
// of Services are others' to write, and may be very many.
type targets struct {
	ports map[cluster.Target]bool
	// services send to a container of the pod, the first of them. The first sends to to, and to
	// others that come later in the alphabet.
	services []string
	to       string
	// moreServices is how many others there are, and last the name of the last one.
	moreServices int
	last         string
	// more says why a Service may send to other ports, where one may.
	more string
	// others says why there may be other Services, where there may be some.
	others string
	// mentioned are the numbers in the words and variables of the containers that are sent to.
	mentioned map[int32]bool
}

// sizeOf is how many Services there are, and targets of theirs.
func sizeOf(found cluster.List[*cluster.Service]) int {
	n := len(found.Objects)
	for _, s := range found.Objects {
		n += len(s.Targets)
	}
	return n
}

func targetsOf(w cluster.World, found cluster.List[*cluster.Service], containers []Container) *targets {
	t := &targets{others: found.Unknown}
	if len(found.Objects) == 0 {
		return t
	}
	if found.More > 0 {
		t.more = "there are more Services than are looked at"
	}
	t.ports = map[cluster.Target]bool{}
	declared := declaredBy(containers)
	for _, s := range found.Objects {
		if s.MoreTargets && t.more == "" {
			t.more = "the ports of Service " + w.Name(s.Name) + " are not all known"
		}
		for _, target := range s.Targets {
			if name, ok := declared[target]; ok {
				t.ports[target] = true
				t.add(s.Name, name)
			}
		}
	}
	t.hide(w)
	return t
}

// add takes in a Service; they come in the order of their names.
func (t *targets) add(service, container string) {
	first := len(t.services) == 0
	if first || t.services[0] == service && container < t.to {
		t.to = container
	}
	switch {
	case !first && t.last == service:
	case len(t.services) < maxGated:
		t.services = append(t.services, service)
	default:
		t.moreServices++
	}
	t.last = service
}

// hide leaves no more of the names than that there are some.
func (t *targets) hide(w cluster.World) {
	if w.HideNames && len(t.services) > 0 {
		t.services, t.moreServices = []string{cluster.Hidden}, 0
	}
}

// declaredBy names the first container that declares a port, by its name or its number.
func declaredBy(containers []Container) map[cluster.Target]string {
	all := map[cluster.Target]string{}
	for i := range containers {
		for _, p := range containers[i].Ports.Declared {
			for _, way := range p.ways() {
				if _, ok := all[way]; !ok {
					all[way] = containers[i].Name
				}
			}
		}
	}
	return all
}

// ways are those in which a Service may name the port.
func (p Port) ways() []cluster.Target {
	if p.Name == "" {
		return []cluster.Target{{Number: p.Number}}
	}
	return []cluster.Target{{Number: p.Number}, {Name: p.Name}}
}

// gate is what is known of a container with a readiness probe. A Service that sends to
// another container is enough, whatever other Services there are.
func (t *targets) gate(c *Container) Gate {
	path := c.Probes.Readiness.Path
	switch {
	case t.sendTo(c), t.needs(c):
		return Gate{Observation: fact.AbsentAt(path)}
	case t.more != "":
		return Gate{Observation: fact.UnknownAt(path, t.more)}
	case len(t.services) > 0:
		return Gate{Observation: fact.PresentAt(path), Services: t.services, MoreServices: t.moreServices, To: t.to}
	case t.others != "":
		return Gate{Observation: fact.UnknownAt(path, "the Services that select the pod are not all known: "+t.others)}
	}
	return Gate{Observation: fact.AbsentAt(path)}
}

// sendTo tells that the container declares a port that a Service sends to.
func (t *targets) sendTo(c *Container) bool {
	return len(t.ports) > 0 && slices.ContainsFunc(c.Ports.Declared, func(p Port) bool {
		return slices.ContainsFunc(p.ways(), func(way cluster.Target) bool { return t.ports[way] })
	})
}

// read takes in the numbers that the containers mention which are sent to.
func (t *targets) read(b *budget.Budget, v *workload.View, containers []Container) {
	if len(t.services) == 0 {
		return
	}
	t.mentioned = map[int32]bool{}
	for i := range containers {
		if b.Spend(1+len(containers[i].Ports.Declared)) && t.sendTo(&containers[i]) {
			port.Said(b, &v.Containers[i].Container, t.mentioned)
		}
	}
}

// needs tells that what is sent to mentions a port of the container: it asks it, or forwards to it.
func (t *targets) needs(c *Container) bool {
	return len(t.mentioned) > 0 && (t.mentioned[c.Probes.Readiness.Target.Number] ||
		slices.ContainsFunc(c.Ports.Declared, func(p Port) bool { return t.mentioned[p.Number] }))
}
