package evidence

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/forestall/forestall/internal/finding"
)

// container is one container of a pod, and how it is.
type container struct {
	status *corev1.ContainerStatus
	kind   containerKind
	// failing containers do not run, or not for long; unready ones run and should be ready by now; starting ones
	// may yet become ready.
	failing, unready, starting bool
}

// containerKind is how the kubelet treats a container.
type containerKind int

const (
	regular containerKind = iota
	initial
	sidecar
	ephemeral
)

// containers lists the containers of a pod with their status. A container of which the kubelet has said nothing yet is
// left out.
func containers(p *corev1.Pod) []container {
	var all []container
	for i := range p.Status.InitContainerStatuses {
		s := &p.Status.InitContainerStatuses[i]
		kind := initial
		if slices.ContainsFunc(p.Spec.InitContainers, func(c corev1.Container) bool {
			return c.Name == s.Name && c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways
		}) {
			kind = sidecar
		}
		all = append(all, container{status: s, kind: kind})
	}
	for i := range p.Status.ContainerStatuses {
		all = append(all, container{status: &p.Status.ContainerStatuses[i], kind: regular})
	}
	for i := range p.Status.EphemeralContainerStatuses {
		all = append(all, container{status: &p.Status.EphemeralContainerStatuses[i], kind: ephemeral})
	}
	return all
}

// container adds what the status of one container says.
func (r *reading) container(c *container) {
	switch state := &c.status.State; {
	case state.Waiting != nil:
		r.waits(c)
	case state.Terminated != nil:
		r.ended(c)
	case state.Running != nil:
		r.runs(c)
	}
}

// waits is a container that is to run and does not.
func (r *reading) waits(c *container) {
	w := c.status.State.Waiting
	switch w.Reason {
	case "", "ContainerCreating", "PodInitializing":
		c.starting = true
		if w.Reason != "PodInitializing" && r.initialised && r.age() > r.o.Stuck {
			c.failing = true
			r.add(finding.Symptom{Kind: finding.Waiting, Container: c.status.Name, Reason: "ContainerCreating", Message: w.Message})
		}
		return
	}
	c.failing = true
	r.add(finding.Symptom{Kind: finding.Waiting, Container: c.status.Name, Reason: w.Reason, Message: w.Message})
	r.restarts(c, false)
}

// ended is a container that has ended. Where nothing starts it again, and it ended well, that is as it should be.
func (r *reading) ended(c *container) {
	t := c.status.State.Terminated
	again := r.pod.Spec.RestartPolicy == corev1.RestartPolicyAlways && c.kind != initial || c.kind == sidecar
	if c.kind == ephemeral || t.ExitCode == 0 && (!again || r.over()) {
		return
	}
	if r.over() && r.since(t.FinishedAt.Time) > remembered {
		return
	}
	c.failing = true
	r.end(c, t, r.over() && r.since(t.FinishedAt.Time) > recent)
	r.count(c, false)
}

// runs is a container that runs. It fails all the same if it was started again often and the last time is not long ago;
// and one that ended once or twice has failed.
func (r *reading) runs(c *container) {
	started := c.status.State.Running.StartedAt.Time
	if last := c.status.LastTerminationState.Terminated; last != nil && r.since(last.FinishedAt.Time) < remembered {
		c.failing = c.status.RestartCount >= manyRestarts && r.since(last.FinishedAt.Time) < recent
		r.restarts(c, !c.failing)
	}
	if c.kind == initial || c.kind == regular && r.job() {
		r.waitedFor(c, started)
	}
	if c.status.Ready || c.kind == initial || c.kind == ephemeral {
		return
	}
	patience := r.o.Grace
	if c.status.Started == nil || !*c.status.Started {
		patience = r.o.Stuck // its startup probe has not passed yet, or its postStart hook goes on
	}
	if c.starting = r.since(started) < patience && c.status.RestartCount == 0; c.starting {
		c.starting = r.since(started) < r.o.Grace // events of a probe that fails for longer count
		return
	}
	c.unready = true
	r.add(finding.Symptom{
		Kind: finding.Condition, Container: c.status.Name, Reason: "ContainersNotReady",
		Message: "running and not ready since " + started.UTC().Format(time.RFC3339),
	})
}

// waitedFor is a container that runs while others wait for its end.
func (r *reading) waitedFor(c *container, started time.Time) {
	reason := "Job"
	if c.kind == initial {
		reason = "Init"
	}
	if r.since(started) < r.o.Grace {
		return
	}
	r.add(finding.Symptom{
		Kind: finding.Running, Container: c.status.Name, Reason: reason, Last: r.o.Now, Over: r.since(started) < r.o.Stuck,
		Message: "running since " + started.UTC().Format(time.RFC3339),
	})
}

// restarts adds how the container ended the last time, and how often it was started again.
func (r *reading) restarts(c *container, over bool) {
	if last := c.status.LastTerminationState.Terminated; last != nil {
		r.end(c, last, over)
	}
	r.count(c, over)
}

// end adds an end of a container.
func (r *reading) end(c *container, t *corev1.ContainerStateTerminated, over bool) {
	r.add(finding.Symptom{
		Kind: finding.Terminated, Container: c.status.Name, Reason: t.Reason, ExitCode: &t.ExitCode,
		Message: t.Message, Last: t.FinishedAt.Time, Over: over,
	})
}

// count adds how often a container was started again.
func (r *reading) count(c *container, over bool) {
	if c.status.RestartCount == 0 {
		return
	}
	s := finding.Symptom{Kind: finding.Restarts, Container: c.status.Name, Count: int(c.status.RestartCount), Over: over}
	if last := c.status.LastTerminationState.Terminated; last != nil {
		s.Last = last.FinishedAt.Time
	}
	r.add(s)
}
