// Package memory observes what memory a container may use and what it asks for.
package memory

import (
	"cmp"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/forestall/forestall/internal/facts/fact"
	"github.com/forestall/forestall/internal/quantity"
)

// Source says which object sets a quantity.
type Source string

// The places that can set a memory limit or request.
const (
	FromContainer  Source = "container"
	FromPod        Source = "pod"
	FromLimitRange Source = "limitRange"
)

// Facts are the memory observations of one container.
type Facts struct {
	// Limit is the limit in force: the container's own, otherwise the pod's,
	// otherwise the default of the namespace's LimitRange.
	Limit Quantity `json:"limit"`
	// Request is the container's own request, otherwise the pod's.
	Request Quantity `json:"request"`
	// Unit is the unit of the limit, where another one may have been meant.
	Unit Unit `json:"unit"`
	// Need is present where the limit is less than the container is known to need.
	Need Need `json:"need"`
	// Demand is what the container is told to take or allowed to take by itself.
	Demand Demand `json:"demand"`
	// Written is what a limit would be added to: the limits that stand there, or the
	// resources where they have no limits; empty where there are none.
	Written Written `json:"written,omitempty" jsonschema:"enum=limits,enum=resources"`
}

// Written is how much of the way to a limit stands in the container.
type Written string

// The fields on that way.
const (
	WrittenLimits    Written = "limits"
	WrittenResources Written = "resources"
)

// Quantity is one memory quantity and where it comes from.
type Quantity struct {
	fact.Observation
	// Bytes is the amount in bytes, rounded up as Kubernetes does.
	Bytes int64 `json:"bytes,omitempty"`
	// Text is the quantity as it was written.
	Text string `json:"text,omitempty"`
	// From is the object that sets it.
	From Source `json:"from,omitempty" jsonschema:"enum=container,enum=pod,enum=limitRange"`
}

// Input is what the observations are made from.
type Input struct {
	Container     corev1.ResourceRequirements
	ContainerPath string
	// Pod holds the pod-level resources (KEP-2837); nil where there are none.
	Pod     *corev1.ResourceRequirements
	PodPath string
	// Written holds the quantities that were written in another way than Kubernetes writes them, by their place.
	Written map[string]string
	// DefaultLimit is the limit that the namespace's LimitRange would set; nil for none.
	DefaultLimit *resource.Quantity
	// DefaultUnknown says why that is not known; empty where it is.
	DefaultUnknown string
}

// Observe returns the memory facts of one container.
//
// A pod-level limit bounds the sum of all containers, so it counts as the limit
// of a container that has none (k8s.io/kubernetes pkg/kubelet/cm/helpers_linux.go,
// ResourceConfigForPod). A LimitRange acts on pods, and only where nothing is set
// (plugin/pkg/admission/limitranger/admission.go, mergePodResourceRequirements).
func Observe(in Input) Facts {
	limit, request := observeLimit(in), observeRequest(in)
	unit := observeUnit(limit, in.Written[limit.Path])
	for _, q := range []*Quantity{&limit, &request} {
		if q.From == FromContainer || q.From == FromPod {
			q.Text = cmp.Or(in.Written[q.Path], q.Text)
		}
	}
	return Facts{
		Limit: limit, Request: request, Unit: unit,
		Need: Need{Observation: limit.below(limit.Path)}, Demand: demandOf(nil, in.ContainerPath, limit),
		Written: written(in.Container),
	}
}

func written(r corev1.ResourceRequirements) Written {
	switch {
	case len(r.Limits) > 0:
		return WrittenLimits
	case len(r.Requests) > 0 || len(r.Claims) > 0:
		return WrittenResources
	}
	return ""
}

// Unlimited reports whether neither the container nor its pod sets a limit, so that the
// default counts.
func (in *Input) Unlimited() bool {
	return !sets(in.Container.Limits) && (in.Pod == nil || !sets(in.Pod.Limits))
}

func observeLimit(in Input) Quantity {
	path := in.ContainerPath + ".resources.limits.memory"
	if q, ok := quantityAt(in.Container.Limits, path, FromContainer); ok {
		return q
	}
	if in.Pod != nil {
		if q, ok := quantityAt(in.Pod.Limits, in.PodPath+".resources.limits.memory", FromPod); ok {
			return q
		}
	}
	switch {
	case in.DefaultLimit != nil:
		return present(*in.DefaultLimit, path, FromLimitRange)
	case in.DefaultUnknown != "":
		return Quantity{Observation: fact.UnknownAt(path, in.DefaultUnknown)}
	}
	return Quantity{Observation: fact.AbsentAt(path)}
}

func observeRequest(in Input) Quantity {
	path := in.ContainerPath + ".resources.requests.memory"
	if q, ok := quantityAt(in.Container.Requests, path, FromContainer); ok {
		return q
	}
	if in.Pod != nil {
		if q, ok := quantityAt(in.Pod.Requests, in.PodPath+".resources.requests.memory", FromPod); ok {
			return q
		}
	}
	return Quantity{Observation: fact.AbsentAt(path)}
}

// below returns what is known of an observation that only a low limit can have, where this limit
// is not low: absent, or unknown where the limit is unknown.
func (q Quantity) below(path string) fact.Observation {
	if q.Is(fact.Unknown) {
		return fact.UnknownAt(path, q.Reason)
	}
	return fact.AbsentAt(path)
}

// quantityAt finds the memory of a resource list. Zero counts as not set: the
// kubelet writes no limit for it (pkg/kubelet/kuberuntime/kuberuntime_container_linux.go,
// calculateLinuxResources).
func quantityAt(list corev1.ResourceList, path string, from Source) (Quantity, bool) {
	if !sets(list) {
		return Quantity{}, false
	}
	return present(list[corev1.ResourceMemory], path, from), true
}

func sets(list corev1.ResourceList) bool {
	q, ok := list[corev1.ResourceMemory]
	return ok && !q.IsZero()
}

func present(q resource.Quantity, path string, from Source) Quantity {
	return Quantity{Observation: fact.PresentAt(path), Bytes: quantity.Value(q), Text: quantity.Text(q), From: from}
}
