package evidence

import (
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/forestall/forestall/internal/finding"
)

// maxOfObject bounds the different events of one object.
const maxOfObject = 8

// Reasons lists the reasons of events that are kept, so that whoever lists events may ask for nothing else. Sources:
// k8s.io/kubernetes pkg/kubelet/events/event.go, pkg/scheduler, pkg/controller/{job,replicaset,statefulset,daemon},
// pkg/controller/volume and pkg/util/taints.
func Reasons() []string {
	return []string{
		"BackOff", "BackoffLimitExceeded", "DeadlineExceeded", "ErrImageNeverPull", "Evicted", "ExceededGracePeriod", "Failed",
		"FailedAttachVolume", "FailedBinding", "FailedCreate", "FailedCreatePodContainer", "FailedCreatePodSandBox", "FailedKillPod",
		"FailedMapVolume", "FailedMount", "FailedPostStartHook", "FailedPreStopHook", "FailedScheduling", "FailedSync", "InspectFailed",
		"Killing", "NetworkNotReady", "NodeNotReady", "OOMKilling", "Preempted", "ProvisioningFailed", "SystemOOM", "Unhealthy",
	}
}

// Event keeps an event about a pod, a workload or a node until its object comes.
func (c *Collector) Event(e *corev1.Event) {
	if !slices.Contains(Reasons(), e.Reason) {
		return
	}
	count, last := seen(e)
	if e.InvolvedObject.Kind == "Node" {
		c.nodeEvent(e, count)
		return
	}
	s := finding.Symptom{
		Kind: finding.Event, Container: containerOf(e.InvolvedObject.FieldPath), Reason: e.Reason, Count: count, Message: messageOf(e), Last: last,
	}
	if e.Reason == "Killing" && !strings.Contains(e.Message, "failed liveness probe") && !strings.Contains(e.Message, "failed startup probe") {
		return // somebody deletes the pod
	}
	before := c.waiting[e.InvolvedObject.UID]
	after := merge(before, s, maxOfObject)
	more := len(after) - len(before)
	if c.kept+more > maxWaiting {
		c.dropped++
		return
	}
	c.kept += more
	c.waiting[e.InvolvedObject.UID] = after
}

// claim takes the events of an object out of those that wait.
func (c *Collector) claim(uid types.UID) []finding.Symptom {
	all := c.waiting[uid]
	delete(c.waiting, uid)
	c.kept -= len(all)
	return all
}

// seen is how often an event was seen, and when last. Newer clients write a series in place of a count
// (k8s.io/api/core/v1 Event).
func seen(e *corev1.Event) (int, time.Time) {
	count, last := max(int(e.Count), 1), e.LastTimestamp.Time
	if e.Series != nil {
		count = max(count, int(e.Series.Count))
		if t := e.Series.LastObservedTime.Time; t.After(last) {
			last = t
		}
	}
	if last.IsZero() {
		last = e.EventTime.Time
	}
	if last.IsZero() {
		last = e.CreationTimestamp.Time
	}
	return count, last
}

// messageOf is what is worth keeping of a message. That of BackOff has nothing but names.
func messageOf(e *corev1.Event) string {
	if e.Reason == "BackOff" && strings.HasPrefix(e.Message, "Back-off restarting") {
		return ""
	}
	return strings.TrimPrefix(e.Message, "(combined from similar events): ")
}

// containerOf reads the container out of spec.containers{web}, which is what the kubelet writes
// (k8s.io/kubernetes pkg/kubelet/container/ref.go).
func containerOf(fieldPath string) string {
	_, name, _ := strings.Cut(fieldPath, "{")
	return strings.TrimSuffix(name, "}")
}
