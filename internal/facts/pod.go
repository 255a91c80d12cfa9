package facts

import (
	"github.com/forestall/forestall/internal/facts/fact"
	"github.com/forestall/forestall/internal/workload"
)

// Pod is what is observed about the pod as a whole.
type Pod struct {
	// ActiveDeadline is the time for which the pod may be active.
	ActiveDeadline ActiveDeadline `json:"activeDeadline"`
}

// ActiveDeadline is the activeDeadlineSeconds of a pod, after which the kubelet ends it
// (k8s.io/kubernetes pkg/kubelet/active_deadline.go).
type ActiveDeadline struct {
	fact.Observation
	Seconds int64 `json:"seconds,omitempty"`
}

func observePod(v *workload.View) Pod {
	path := v.SpecPath + ".activeDeadlineSeconds"
	if v.PodSpec.ActiveDeadlineSeconds == nil {
		return Pod{ActiveDeadline{Observation: fact.AbsentAt(path)}}
	}
	return Pod{ActiveDeadline{Observation: fact.PresentAt(path), Seconds: *v.PodSpec.ActiveDeadlineSeconds}}
}
