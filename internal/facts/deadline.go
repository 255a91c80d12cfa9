package facts

import (
	"github.com/forestall/forestall/internal/facts/fact"
	"github.com/forestall/forestall/internal/workload"
)

// OutlastsDeadline holds the startup probes that let a start take as long as the progress
// deadline of the Deployment, or longer. Absent: there is no such deadline, or no such probe.
type OutlastsDeadline struct {
	// Path is the deadline.
	fact.Observation
	// Probes are those startup probes.
	Probes []SlowStart `json:"probes,omitempty"`
}

// SlowStart is how long the startup probe of a container lets its start take.
type SlowStart struct {
	// Container is its name.
	Container string `json:"container"`
	// Path is the startup probe.
	Path string `json:"path"`
	// Seconds is how long the start may take, at most.
	Seconds int64 `json:"seconds"`
}

// progressDeadlinePath is where a Deployment has its progress deadline.
const progressDeadlinePath = "spec.progressDeadlineSeconds"

// observeDeadline compares the time that startup probes grant with the deadline of the roll-out.
// A new pod makes no progress before it is Ready (k8s.io/kubernetes
// pkg/controller/deployment/util, DeploymentProgressing). The controller of a paused Deployment looks at no deadline
// (pkg/controller/deployment/deployment_controller.go, syncDeployment), and a probe that is switched off says nothing of time.
func observeDeadline(v *workload.View, r *Rollout, containers []Container) OutlastsDeadline {
	if v.Custom {
		return OutlastsDeadline{Observation: fact.UnknownAt("", "the roll-out of a "+v.Kind+" is not known")}
	}
	if r == nil || r.ProgressDeadlineSeconds <= 0 || v.Controller.Paused { // nobody looks at the clock of a paused one
		return OutlastsDeadline{Observation: fact.Observation{State: fact.Absent}}
	}
	d := OutlastsDeadline{Observation: fact.AbsentAt(progressDeadlinePath)}
	for i := range containers {
		startup := &containers[i].Probes.Startup
		switch {
		case startup.Is(fact.Unknown) && len(d.Probes) == 0:
			d.Observation = fact.UnknownAt(startup.Path, startup.Reason)
		case startup.Is(fact.Present) && !startup.Patience.Endless && startup.Patience.AtMostSeconds >= int64(r.ProgressDeadlineSeconds):
			d.Observation = fact.PresentAt(progressDeadlinePath)
			d.Probes = append(d.Probes, SlowStart{Container: containers[i].Name, Path: startup.Path, Seconds: startup.Patience.AtMostSeconds})
		}
	}
	return d
}
