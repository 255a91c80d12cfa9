package facts

import (
	"github.com/forestall/forestall/internal/facts/fact"
	"github.com/forestall/forestall/internal/workload"
)

// Pod is what is observed about the pod as a whole.
type Pod struct {
	// ActiveDeadline is the time for which the pod may be active.
	ActiveDeadline ActiveDeadline `json:"activeDeadline"`
	// RestartPolicy of the pod, which a container may have another of.
	RestartPolicy string `json:"restartPolicy" jsonschema:"enum=Always,enum=OnFailure,enum=Never"`
	// NodeName is the node that the pod is written for, past the scheduler; left out where a scheduler chooses one.
	NodeName string `json:"nodeName,omitempty"`
}

// ActiveDeadline is the activeDeadlineSeconds of a pod, after which the kubelet ends it
// (k8s.io/kubernetes pkg/kubelet/active_deadline.go).
type ActiveDeadline struct {
	fact.Observation
	Seconds int64 `json:"seconds,omitempty"`
}

func observePod(v *workload.View) Pod {
	path := v.SpecPath + ".activeDeadlineSeconds"
	p := Pod{
		ActiveDeadline: ActiveDeadline{Observation: fact.AbsentAt(path)},
		RestartPolicy:  string(v.PodSpec.RestartPolicy), NodeName: v.PodSpec.NodeName,
	}
	if v.PodSpec.ActiveDeadlineSeconds != nil {
		p.ActiveDeadline = ActiveDeadline{Observation: fact.PresentAt(path), Seconds: *v.PodSpec.ActiveDeadlineSeconds}
	}
	return p
}
