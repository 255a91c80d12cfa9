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
	// VirtualNode says whether the pod asks for a virtual node or accepts one, which is as large as
	// somebody told it to be.
	VirtualNode fact.Observation `json:"virtualNode"`
	// RuntimeClass says whether the pod chooses a container runtime: it may be another one than the
	// node's own.
	RuntimeClass fact.Observation `json:"runtimeClass"`
}

// ActiveDeadline is the activeDeadlineSeconds of a pod, after which the kubelet ends it
// (k8s.io/kubernetes pkg/kubelet/active_deadline.go).
type ActiveDeadline struct {
	fact.Observation
	Seconds int64 `json:"seconds,omitempty"`
}

func observePod(v *workload.View) Pod {
	return Pod{
		ActiveDeadline: observeActiveDeadline(v),
		RestartPolicy:  string(v.PodSpec.RestartPolicy), NodeName: v.PodSpec.NodeName,
		VirtualNode: observeVirtualNode(v), RuntimeClass: observeRuntimeClass(v),
	}
}

func observeActiveDeadline(v *workload.View) ActiveDeadline {
	path := v.SpecPath + ".activeDeadlineSeconds"
	if v.PodSpec.ActiveDeadlineSeconds == nil {
		return ActiveDeadline{Observation: fact.AbsentAt(path)}
	}
	return ActiveDeadline{Observation: fact.PresentAt(path), Seconds: *v.PodSpec.ActiveDeadlineSeconds}
}

func observeVirtualNode(v *workload.View) fact.Observation {
	if path := v.VirtualNode(); path != "" {
		return fact.PresentAt(path)
	}
	return fact.AbsentAt(v.SpecPath + ".nodeSelector")
}

func observeRuntimeClass(v *workload.View) fact.Observation {
	path := v.SpecPath + ".runtimeClassName"
	if name := v.PodSpec.RuntimeClassName; name == nil || *name == "" {
		return fact.AbsentAt(path)
	}
	return fact.PresentAt(path)
}
