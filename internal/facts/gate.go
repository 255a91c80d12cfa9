package facts

import (
	"slices"
	"strconv"

	"github.com/forestall/forestall/internal/cluster"
	"github.com/forestall/forestall/internal/facts/fact"
)

// Gate is a container whose readiness decides over Services that do not send to it:
// it declares none of their target ports, and another container of the pod does.
type Gate struct {
	fact.Observation
	// Services that send to another container, sorted.
	Services []string `json:"services,omitempty"`
	// To is the container that the first of them sends to.
	To string `json:"to,omitempty"`
}

// observeGates looks at the containers with a readiness probe beside those that
// the pod's Services send to.
func observeGates(ports []cluster.ServicePort, containers []Container) {
	to := servers(ports, containers)
	for i := range containers {
		c := &containers[i]
		c.Gate = Gate{Observation: fact.AbsentAt(c.Probes.Readiness.Path)}
		if len(to) == 0 || !c.Probes.Readiness.Is(fact.Present) || slices.ContainsFunc(ports, c.serves) {
			continue
		}
		c.Gate = Gate{Observation: fact.PresentAt(c.Probes.Readiness.Path), Services: services(to), To: to[0].container}
	}
}

// server is a Service and a container that it sends to.
type server struct{ service, container string }

// servers lists the ports that a container declares.
func servers(ports []cluster.ServicePort, containers []Container) []server {
	var all []server
	for _, p := range ports {
		if i := slices.IndexFunc(containers, func(c Container) bool { return c.serves(p) }); i >= 0 {
			all = append(all, server{p.Service, containers[i].Name})
		}
	}
	return all
}

func services(of []server) []string {
	names := make([]string, len(of))
	for i := range of {
		names[i] = of[i].service
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// serves tells that the container declares the port that a Service sends to.
func (c *Container) serves(p cluster.ServicePort) bool {
	return slices.ContainsFunc(c.Ports.Declared, func(declared Port) bool {
		return declared.Name == p.TargetPort || strconv.Itoa(int(declared.Number)) == p.TargetPort
	})
}
