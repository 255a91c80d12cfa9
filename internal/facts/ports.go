package facts

import (
	"slices"

	"github.com/forestall/forestall/internal/budget"
	"github.com/forestall/forestall/internal/cluster"
	"github.com/forestall/forestall/internal/facts/command"
	"github.com/forestall/forestall/internal/facts/fact"
	"github.com/forestall/forestall/internal/facts/port"
	"github.com/forestall/forestall/internal/facts/probe"
	"github.com/forestall/forestall/internal/workload"
)

// Ports are the ports that a container declares.
type Ports struct {
	fact.Observation
	Declared []Port `json:"declared,omitempty"`
	// Named are the ports that the container's own flags and variables name as the
	// ones to listen on.
	Named []port.Named `json:"named,omitempty"`
	// Configured says whether a file may tell the container where to listen, besides what the manifest
	// says: one that is mounted, or named by its words and variables. Unknown where no probe asks a port.
	Configured fact.Observation `json:"configured"`
}

// Port is one declared port.
type Port struct {
	Number   int32  `json:"number"`
	Name     string `json:"name,omitempty"`
	Protocol string `json:"protocol,omitempty"`
}

// ProbedPort is a port that probes of a container ask at the pod's own address.
type ProbedPort struct {
	Number int32        `json:"number"`
	Probes []probe.Asks `json:"probes"`
	// Mentioned tells where else in the pod the number stands: among the declared
	// ports, commands, arguments, variables, commands of probes and hooks, and
	// annotations. Absent where none of them holds it; unknown where one cannot be read.
	Mentioned port.Mentions `json:"mentioned"`
	// Expected tells what else counts on it that somebody listens there: a Service of the pod, a command, and for a
	// container that opens no port the probe of one that may, as far as a container of the pod may listen; and
	// annotations for what is put into the pod later.
	Expected fact.Observation `json:"expected"`
}

func observePorts(b *budget.Budget, c *workload.Container) Ports {
	p := Ports{
		Observation: fact.AbsentAt(c.Path + ".ports"), Named: port.NamedBy(b, &c.Container, c.Path),
		Configured: fact.UnknownAt(c.Path, "no probe of the pod asks a port"),
	}
	if len(c.Ports) == 0 || !b.Spend(len(c.Ports)) {
		return p
	}
	p.Observation = fact.PresentAt(c.Path + ".ports")
	for _, declared := range c.Ports {
		p.Declared = append(p.Declared, Port{Number: declared.ContainerPort, Name: declared.Name, Protocol: string(declared.Protocol)})
	}
	return p
}

// observeListens observes whether the command listens, unless a hook runs another one.
func observeListens(c *workload.Container, cmd *command.Facts) fact.Observation {
	if c.Lifecycle != nil && c.Lifecycle.PostStart != nil && c.Lifecycle.PostStart.Exec != nil {
		return fact.UnknownAt(c.Path+".lifecycle.postStart", "the hook may start something that listens")
	}
	return cmd.Listens.Observation
}

// observeProbedPorts adds the ports that probes ask. On the network of the node
// anything may answer: nothing is said there.
func observeProbedPorts(b *budget.Budget, v *workload.View, w cluster.World, containers []Container) {
	if v.PodSpec.HostNetwork || b.Err() != nil {
		return
	}
	search, asked := port.Search{Budget: b}, 0
	for i := range containers {
		c := &containers[i]
		c.ProbedPorts = probedPorts(c.Probes.Ports())
		for _, p := range c.ProbedPorts {
			search.For(p.Number)
		}
		asked += len(c.ProbedPorts)
	}
	if asked == 0 {
		return
	}
	all := sources(v, containers)
	search.In(all, v.PodMeta.Annotations)
	for i := range containers {
		for j := range containers[i].ProbedPorts {
			p := &containers[i].ProbedPorts[j]
			p.Mentioned = search.Mentions(p.Number, !p.exec())
		}
	}
	observeConfigured(b, v, containers)
	observeExpected(b, v, w, &search, all, containers)
}

func observeConfigured(b *budget.Budget, v *workload.View, containers []Container) {
	files := port.FilesOf(b, &v.PodSpec)
	for i := range containers {
		c := &v.Containers[i]
		if path := files.Configured(b, &c.Container, c.Path); path != "" {
			containers[i].Ports.Configured = fact.PresentAt(path)
		} else {
			containers[i].Ports.Configured = fact.AbsentAt(c.Path)
		}
	}
}

func sources(v *workload.View, observed []Container) []port.Container {
	all := make([]port.Container, len(v.Containers))
	for i := range v.Containers {
		c := &v.Containers[i]
		runs := c.Kind == workload.Regular || c.Kind == workload.Sidecar
		all[i] = port.Container{
			Container: &c.Container, Path: c.Path, Listens: runs && !observed[i].Listens.Is(fact.Absent),
		}
	}
	return all
}

// probedPorts puts the probes of one port together.
func probedPorts(asks []probe.PortAsked) []ProbedPort {
	var all []ProbedPort
	places := make(map[int32]int, len(asks))
	for _, a := range asks {
		i, known := places[a.Number]
		if !known {
			i = len(all)
			places[a.Number] = i
			all = append(all, ProbedPort{Number: a.Number})
		}
		all[i].Probes = append(all[i].Probes, a.Asks)
	}
	return all
}

// exec reports whether only commands ask the port. The words of these commands are then no
// mention of it.
func (p *ProbedPort) exec() bool {
	return !slices.ContainsFunc(p.Probes, func(a probe.Asks) bool { return a.Handler != probe.Exec })
}
