package cluster

import (
	"slices"

	"github.com/forestall/forestall/internal/budget"
)

// Context is the part of the cluster that concerns one object, as rules see it. What is missing
// from it may exist all the same.
type Context struct {
	// Services lists the names of the Services whose selector matches the pod, sorted: the first of
	// them.
	Services []string `json:"services,omitempty"`
	// MoreServices is how many others there are beside Services.
	MoreServices int `json:"moreServices,omitempty"`
	// ServicePorts lists the ports of these Services, in the order of their names: the first of them.
	ServicePorts []ServicePort `json:"servicePorts,omitempty"`
	// MoreServicePorts is true where the Services have other ports that are not among ServicePorts.
	MoreServicePorts bool `json:"moreServicePorts,omitempty"`
	// DefaultMemoryLimit is what a LimitRange of the namespace gives to a container
	// that has no memory limit.
	DefaultMemoryLimit *LimitRangeDefault `json:"defaultMemoryLimit,omitempty"`
	// MemoryRanges are the bounds that LimitRanges of the namespace set to memory. Of very many they
	// are the narrowest.
	MemoryRanges []MemoryRange `json:"memoryRanges,omitempty"`
}

// ServicePort is a port of a Service and where it sends to.
type ServicePort struct {
	Service string `json:"service"`
	// TargetPort is the name or number of the container's port.
	TargetPort string `json:"targetPort"`
}

// Parts are the parts of a Context.
type Parts struct{ Services, ServicePorts, LimitRanges bool }

// AllParts returns all of them.
func AllParts() Parts { return Parts{Services: true, ServicePorts: true, LimitRanges: true} }

// With returns the Parts that are in either.
func (p Parts) With(other Parts) Parts {
	return Parts{
		Services:     p.Services || other.Services,
		ServicePorts: p.ServicePorts || other.ServicePorts,
		LimitRanges:  p.LimitRanges || other.LimitRanges,
	}
}

// Context returns the part of the input document that tells rules what else exists beside
// pods with these labels. It makes only the wanted Parts, and spends steps on them.
func (w World) Context(b *budget.Budget, podLabels map[string]string, wanted Parts) Context {
	b = b.OrDefault()
	var c Context
	if wanted.Services || wanted.ServicePorts {
		found := w.Services(b, podLabels)
		if wanted.Services {
			c.addServices(w, found)
		}
		if wanted.ServicePorts {
			c.addPorts(b, w, found)
		}
	}
	if wanted.LimitRanges {
		ranges := w.LimitRanges().Objects
		b.Spend(len(ranges))
		c.DefaultMemoryLimit = w.named(defaultOf(ranges))
		c.MemoryRanges = w.memoryRanges(ranges)
	}
	return c
}

// addServices names the first Services. The same one may stand in two files.
func (c *Context) addServices(w World, found List[*Service]) {
	for i, s := range found.Objects {
		switch {
		case i > 0 && s.Name == found.Objects[i-1].Name, w.HideNames && i > 0:
		case len(c.Services) < maxNamed:
			c.Services = append(c.Services, w.Name(s.Name))
		default:
			c.MoreServices++
		}
	}
	if !w.HideNames {
		c.MoreServices += found.More
	}
}

func (c *Context) addPorts(b *budget.Budget, w World, found List[*Service]) {
	c.MoreServicePorts = found.More > 0
	for i, s := range found.Objects {
		c.MoreServicePorts = c.MoreServicePorts || s.MoreTargets
		if i > 0 && s.Name == found.Objects[i-1].Name && slices.Equal(s.Targets, found.Objects[i-1].Targets) {
			continue
		}
		room := maxNamedPorts - len(c.ServicePorts)
		if room < len(s.Targets) {
			c.MoreServicePorts = true
		}
		targets := s.Targets[:min(room, len(s.Targets))]
		if !b.Spend(1 + len(targets)) {
			return
		}
		for _, t := range targets {
			c.ServicePorts = append(c.ServicePorts, ServicePort{Service: w.Name(s.Name), TargetPort: t.String()})
		}
	}
}
