// Package cluster is the read-only context of a review: what else exists beside
// the object under review. A Source answers from memory; nothing here calls an API.
package cluster

// Source tells what concerns one pod. Implementations are safe for concurrent use.
type Source interface {
	// Context returns what concerns a pod with these labels in the namespace.
	Context(namespace string, podLabels map[string]string) Context
	// Mode returns the value of the namespace's label ModeLabel; empty where there is none.
	Mode(namespace string) string
}

// ModeLabel is the label of a namespace that caps what is done in it.
const ModeLabel = "forestall.dev/mode"

// Context is the part of the cluster that concerns one object. The zero value
// says that nothing is known to exist, which is never proof that it does not.
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

// MemoryRange is what a LimitRange allows. The zero value of a bound is none.
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

// Unknown is a Source that knows of nothing.
type Unknown struct{}

// Context returns the zero Context.
func (Unknown) Context(string, map[string]string) Context { return Context{} }

// Mode returns nothing.
func (Unknown) Mode(string) string { return "" }
