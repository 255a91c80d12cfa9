package cluster

import (
	"cmp"
	"slices"
	"strings"
)

// Context is the part of the cluster that concerns one object, as rules see it. What is missing
// from it may exist all the same.
type Context struct {
	// Services lists the names of the Services whose selector matches the pod, sorted.
	Services []string `json:"services,omitempty"`
	// ServicePorts lists the ports of these Services, in the order of their names.
	ServicePorts []ServicePort `json:"servicePorts,omitempty"`
	// DefaultMemoryLimit is what a LimitRange of the namespace gives to a container
	// that has no memory limit.
	DefaultMemoryLimit *LimitRangeDefault `json:"defaultMemoryLimit,omitempty"`
	// MemoryRanges are the bounds that LimitRanges of the namespace set to memory.
	MemoryRanges []MemoryRange `json:"memoryRanges,omitempty"`
}

// ServicePort is a port of a Service and where it sends to.
type ServicePort struct {
	Service string `json:"service"`
	// TargetPort is the name or number of the container's port.
	TargetPort string `json:"targetPort"`
}

// LimitRangeDefault is a default limit and the LimitRange that sets it.
type LimitRangeDefault struct {
	LimitRange string `json:"limitRange"`
	// Text is the quantity as it is written in the LimitRange.
	Text string `json:"text"`
}

// MemoryRange is what a LimitRange allows. A bound of zero is no bound.
type MemoryRange struct {
	LimitRange string `json:"limitRange"`
	// Type says what is bounded: a Container, or the sum of all containers of a Pod.
	Type string `json:"type" jsonschema:"enum=Container,enum=Pod"`
	// MinBytes bounds requests and limits from below, MaxBytes limits from above.
	MinBytes int64 `json:"minBytes,omitempty"`
	MaxBytes int64 `json:"maxBytes,omitempty"`
	// MaxLimitRequestRatio bounds the limit as a multiple of the request.
	MaxLimitRequestRatio float64 `json:"maxLimitRequestRatio,omitempty"`
}

// Context returns the part of the input document that tells rules what else exists beside
// pods with these labels.
func (w World) Context(podLabels map[string]string) Context {
	var c Context
	for _, s := range w.Services(podLabels).Objects {
		c.Services = append(c.Services, s.Name)
		for _, p := range s.Ports {
			c.ServicePorts = append(c.ServicePorts, ServicePort{Service: s.Name, TargetPort: p.Target.String()})
		}
	}
	c.Services = slices.Compact(c.Services) // the same Service may stand in two files
	slices.SortFunc(c.ServicePorts, func(a, b ServicePort) int {
		return cmp.Or(strings.Compare(a.Service, b.Service), strings.Compare(a.TargetPort, b.TargetPort))
	})
	c.ServicePorts = slices.Compact(c.ServicePorts)
	ranges := w.LimitRanges().Objects
	c.DefaultMemoryLimit = defaultOf(ranges)
	for _, r := range ranges {
		c.MemoryRanges = append(c.MemoryRanges, r.Ranges...)
	}
	return c
}
