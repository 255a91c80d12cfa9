package facts

import (
	"slices"

	"github.com/forestall/forestall/internal/budget"
	"github.com/forestall/forestall/internal/cluster"
	"github.com/forestall/forestall/internal/facts/fact"
	"github.com/forestall/forestall/internal/facts/port"
	"github.com/forestall/forestall/internal/workload"
)

// expecting is what counts on it that somebody listens on a port of the pod, besides the probe that asks.
type expecting struct {
	// asked holds the probes of containers that may listen, by the number that they ask.
	asked map[int32]string
	// commands ask the numbers on the loopback address.
	commands map[int32]string
	// served are the numbers that Services of the pod send to.
	served map[int32]bool
}

// observeExpected adds to each port that probes ask who else counts on it, where a rule would ask: nothing in the pod
// mentions it, or the container is known not to listen. Where no container may listen, what counts on
// one is as wrong as the probe, and only what is put into the pod later can answer.
func observeExpected(b *budget.Budget, v *workload.View, w cluster.World, s *port.Search, all []port.Container, containers []Container) {
	e := expecting{}
	if slices.ContainsFunc(all, func(c port.Container) bool { return c.Listens }) && anyDoubt(containers) {
		e.look(b, v, w, all, containers)
	}
	for i := range containers {
		c := &containers[i]
		for j := range c.ProbedPorts {
			p := &c.ProbedPorts[j]
			p.Expected = fact.AbsentAt("")
			if path := s.Added(p.Number); path != "" {
				p.Expected = fact.PresentAt(path)
			} else if path, ok := e.of(p.Number, c.Listens.Is(fact.Absent)); ok {
				p.Expected = fact.PresentAt(path)
			}
		}
		for j := range c.Ports.Named {
			n := &c.Ports.Named[j]
			n.Served = e.served[n.Number] || len(c.ProbedPorts) > 0 && c.Ports.declares(n.Number)
		}
	}
}

// anyDoubt tells that it is not plain of every port that probes ask that somebody listens there.
func anyDoubt(containers []Container) bool {
	for i := range containers {
		c := &containers[i]
		silent := c.Listens.Is(fact.Absent)
		if slices.ContainsFunc(c.ProbedPorts, func(p ProbedPort) bool { return silent || p.Mentioned.Is(fact.Absent) }) {
			return true
		}
	}
	return false
}

func (e *expecting) look(b *budget.Budget, v *workload.View, w cluster.World, all []port.Container, containers []Container) {
	e.asked, e.commands, e.served = map[int32]string{}, map[int32]string{}, map[int32]bool{}
	for i := range containers {
		if !b.Spend(1 + len(containers[i].ProbedPorts)) {
			return
		}
		if v.Containers[i].Kind != workload.Init {
			e.command(b, &all[i])
		}
		for _, p := range containers[i].ProbedPorts {
			if all[i].Listens && e.asked[p.Number] == "" {
				e.asked[p.Number] = p.Probes[0].Path
			}
		}
	}
	e.services(b, w.Services(b, v.PodMeta.Labels))
}

// services takes in where they send to; what they name is declared.
func (e *expecting) services(b *budget.Budget, found cluster.List[*cluster.Service]) {
	if !b.Spend(sizeOf(found)) {
		return
	}
	for _, s := range found.Objects {
		for _, t := range s.Targets {
			if t.Name == "" {
				e.served[t.Number] = true
			}
		}
	}
}

// command takes in what the command of a container asks at the pod's own address.
func (e *expecting) command(b *budget.Budget, c *port.Container) {
	for _, list := range []struct {
		field string
		words []string
	}{{".command", c.Command}, {".args", c.Args}} {
		for _, n := range port.Loopback(b, list.words) {
			e.commands[n] = c.Path + list.field
		}
	}
}

// of tells who counts on a number besides the probe that asks; the path is empty for a Service. The probes of servers
// speak to a container that does not listen itself: a server's own may be copies of each other.
func (e *expecting) of(number int32, silent bool) (path string, ok bool) {
	if path, ok := e.asked[number]; ok && silent {
		return path, true
	}
	if path, ok := e.commands[number]; ok {
		return path, true
	}
	return "", e.served[number]
}

func (p *Ports) declares(number int32) bool {
	return slices.ContainsFunc(p.Declared, func(d Port) bool { return d.Number == number })
}
