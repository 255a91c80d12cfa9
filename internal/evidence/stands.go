package evidence

import (
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/forestall/forestall/internal/finding"
)

// stands reports whether an event of the pod still says something about it, and marks it as over where the container
// runs since. Events are kept for an hour, and much of what they tell has been settled by then.
func (r *reading) stands(e *finding.Symptom) bool {
	if e.Container == "" {
		return r.standsForPod(e)
	}
	for i := range r.all {
		if c := &r.all[i]; c.status.Name == e.Container {
			return c.stands(e)
		}
	}
	return true // the kubelet has not said anything about the container
}

// stands looks at an event about one container.
func (c *container) stands(e *finding.Symptom) bool {
	e.Over = !c.failing && !c.unready
	switch e.Reason {
	case "Unhealthy":
		if c.starting {
			return false // it may yet become ready
		}
		return !c.status.Ready || strings.HasPrefix(e.Message, "Liveness")
	case "Killing", "BackOff", "FailedPostStartHook", "FailedPreStopHook":
		return true
	}
	// Images, configuration and the like: settled when the container was created.
	return c.status.State.Waiting != nil
}

// standsForPod looks at an event about the pod as a whole.
func (r *reading) standsForPod(e *finding.Symptom) bool {
	switch e.Reason {
	case "FailedScheduling", "Preempted":
		return r.pod.Spec.NodeName == ""
	case "NodeNotReady":
		return !r.ready()
	case "FailedKillPod", "ExceededGracePeriod":
		return true
	}
	// Volumes, the network and the sandbox come before the containers.
	for _, c := range r.all {
		if c.status.State.Running != nil || c.status.State.Terminated != nil || c.status.LastTerminationState.Terminated != nil {
			return false
		}
	}
	e.Over = r.age() < r.o.Grace
	return true
}

// ready reports whether the pod is Ready.
func (r *reading) ready() bool {
	for _, c := range r.pod.Status.Conditions {
		if c.Type == corev1.PodReady {
			return c.Status == corev1.ConditionTrue
		}
	}
	return false
}
