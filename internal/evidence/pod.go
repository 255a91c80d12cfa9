package evidence

import (
	"cmp"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/forestall/forestall/internal/finding"
)

// reading is how one pod is read.
type reading struct {
	o   *Options
	pod *corev1.Pod
	all []container
	// initialised is false while init containers have to end.
	initialised bool
	symptoms    []finding.Symptom
}

// Pod takes in a pod, and the objects that stand for it in the audit: its workload; itself, where it has none or differs from
// it. Of a healthy pod nothing is kept but its place in the counts of these objects and of its node.
func (c *Collector) Pod(p *corev1.Pod, of ...finding.Object) {
	events := c.claim(p.UID)
	// A kubelet knows a pod that it runs from a file by the digest of that file (pkg/kubelet/config/common.go).
	if digest := p.Annotations[corev1.MirrorPodAnnotationKey]; digest != "" {
		events = append(events, c.claim(types.UID(digest))...)
	}
	r := reading{o: &c.o, pod: p}
	switch {
	case p.DeletionTimestamp != nil:
		r.leaving(events)
	case r.over():
		r.afterwards(events)
	default:
		for _, o := range of {
			c.of(o).pods++
		}
		c.onNode(&r)
		r.alive(events)
		c.endpointsFor(&r)
	}
	if len(r.symptoms) == 0 {
		return
	}
	for _, o := range of {
		c.of(o).add(r.symptoms...)
	}
}

// add keeps a symptom of the pod.
func (r *reading) add(s finding.Symptom) {
	s.Pods = 1
	r.symptoms = append(r.symptoms, s)
}

// over reports whether the pod has ended.
func (r *reading) over() bool {
	return r.pod.Status.Phase == corev1.PodSucceeded || r.pod.Status.Phase == corev1.PodFailed
}

// job reports whether the end of the pod is waited for.
func (r *reading) job() bool {
	return slices.ContainsFunc(r.pod.OwnerReferences, func(o metav1.OwnerReference) bool { return o.Kind == "Job" })
}

func (r *reading) since(t time.Time) time.Duration { return r.o.Now.Sub(t) }

// age is how long the pod is on its node, or exists.
func (r *reading) age() time.Duration {
	if s := r.pod.Status.StartTime; s != nil {
		return r.since(s.Time)
	}
	return r.since(r.pod.CreationTimestamp.Time)
}

// leaving is a pod that is being deleted. Its deletionTimestamp is when its grace period ends.
func (r *reading) leaving(events []finding.Symptom) {
	if r.since(r.pod.DeletionTimestamp.Time) < r.o.Stuck {
		return
	}
	r.add(finding.Symptom{
		Kind: finding.Phase, Reason: "Terminating", Last: r.pod.DeletionTimestamp.Time,
		Message: "should be gone since " + r.pod.DeletionTimestamp.UTC().Format(time.RFC3339),
	})
	for _, e := range events {
		if e.Reason == "FailedKillPod" || e.Reason == "ExceededGracePeriod" {
			r.add(e)
		}
	}
}

// afterwards is a pod that has ended. One that succeeded is as it should be, unless a probe has ended it.
func (r *reading) afterwards(events []finding.Symptom) {
	failed := r.pod.Status.Phase == corev1.PodFailed
	probed := slices.ContainsFunc(events, func(e finding.Symptom) bool {
		return e.Reason == "Killing" || e.Reason == unhealthy && strings.HasPrefix(e.Message, "Liveness")
	})
	end := r.endOf()
	if !failed && !probed || r.since(end) > remembered {
		return
	}
	over := r.since(end) > recent
	reason := cmp.Or(r.pod.Status.Reason, string(r.pod.Status.Phase))
	r.add(finding.Symptom{Kind: finding.Phase, Reason: reason, Message: r.pod.Status.Message, Last: end, Over: over})
	if r.all = containers(r.pod); r.pod.Status.Reason == "" { // else somebody ended the pod, and not its containers
		for i := range r.all {
			r.container(&r.all[i])
		}
	}
	for _, e := range events {
		e.Over = over
		r.add(e)
	}
}

// endOf is when a pod has ended.
func (r *reading) endOf() time.Time {
	var end time.Time
	for _, c := range r.pod.Status.ContainerStatuses {
		if t := c.State.Terminated; t != nil && t.FinishedAt.After(end) {
			end = t.FinishedAt.Time
		}
	}
	for _, c := range r.pod.Status.Conditions {
		if end.IsZero() || c.Type == corev1.DisruptionTarget {
			end = c.LastTransitionTime.Time
		}
	}
	if end.IsZero() {
		return r.pod.CreationTimestamp.Time
	}
	return end
}

// alive is a pod that runs, or tries to.
func (r *reading) alive(events []finding.Symptom) {
	r.all = containers(r.pod)
	r.initialised = !slices.ContainsFunc(r.all, func(c container) bool {
		return c.kind == initial && (c.status.State.Terminated == nil || c.status.State.Terminated.ExitCode != 0)
	})
	for i := range r.all {
		r.container(&r.all[i])
	}
	failing := r.failing()
	for _, e := range events {
		if r.stands(&e) {
			r.add(e)
		}
	}
	r.conditions(failing)
	r.dropConsequences()
}

// failing reports whether the pod has a symptom that is trouble.
func (r *reading) failing() bool {
	return slices.ContainsFunc(r.symptoms, func(s finding.Symptom) bool { return !s.Over && s.Kind != finding.Running })
}

// dropConsequences takes out what the pod itself explains: containers are not created while volumes or the sandbox fail.
func (r *reading) dropConsequences() {
	blocked := slices.ContainsFunc(r.symptoms, func(s finding.Symptom) bool {
		return s.Kind == finding.Event && s.Container == "" && knownOf(&s).weight == cause
	})
	if blocked {
		r.symptoms = slices.DeleteFunc(r.symptoms, func(s finding.Symptom) bool {
			return s.Kind == finding.Waiting && s.Reason == "ContainerCreating"
		})
	}
}

// conditions adds the conditions of the pod that are not as they should be.
func (r *reading) conditions(failing bool) {
	for i := range r.pod.Status.Conditions {
		c := &r.pod.Status.Conditions[i]
		if c.Status != corev1.ConditionFalse {
			continue
		}
		s := finding.Symptom{Kind: finding.Condition, Reason: c.Reason, Message: c.Message, Last: c.LastTransitionTime.Time}
		switch c.Type {
		case corev1.PodScheduled:
			if c.Reason == corev1.PodReasonUnschedulable {
				r.add(s)
			}
		case corev1.PodReady:
			if c.Reason == "ReadinessGatesNotReady" && r.since(s.Last) > r.o.Grace || failing && c.Reason == "ContainersNotReady" {
				r.add(s)
			}
		}
	}
}
