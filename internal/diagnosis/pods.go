package diagnosis

import (
	"encoding/json"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/forestall/forestall/internal/finding"
)

// selects reports whether a Service, as JSON, selects pods with these labels.
func selects(service []byte, of map[string]string) bool {
	var s struct {
		Spec struct {
			Selector map[string]string `json:"selector"`
		} `json:"spec"`
	}
	if json.Unmarshal(service, &s) != nil || len(s.Spec.Selector) == 0 {
		return false
	}
	return labels.SelectorFromSet(s.Spec.Selector).Matches(labels.Set(of))
}

// Pods remembers of one workload in which pod to look for the log of each container. The zero value but for Of has seen
// none.
type Pods struct {
	Of finding.Object

	worst map[string]run
}

// run is a container of a pod that has run.
type run struct {
	pod string
	// previous says that what it ran before has ended, and that this run is a new one.
	previous bool
	restarts int32
	ended    bool
}

// See looks at a pod that stands behind these objects.
func (p *Pods) See(pod *corev1.Pod, of ...finding.Object) {
	if !slices.Contains(of, p.Of) {
		return
	}
	for _, list := range [][]corev1.ContainerStatus{pod.Status.InitContainerStatuses, pod.Status.ContainerStatuses} {
		for i := range list {
			p.remember(pod.Name, &list[i])
		}
	}
}

// remember keeps the container of the pod, if it is worse than in those before.
func (p *Pods) remember(pod string, s *corev1.ContainerStatus) {
	// While a container waits or has ended, its log is that of the run that ended
	// (k8s.io/kubernetes pkg/kubelet/kubelet_pods.go, validateContainerLogStatus).
	r := run{
		pod: pod, restarts: s.RestartCount, previous: s.State.Running != nil && s.RestartCount > 0,
		ended: s.State.Terminated != nil && s.State.Terminated.ExitCode != 0 || s.LastTerminationState.Terminated != nil,
	}
	if !r.ended && s.State.Running == nil {
		return
	}
	before, known := p.worst[s.Name]
	if known && (before.ended && !r.ended || before.ended == r.ended && before.restarts >= r.restarts) {
		return
	}
	if p.worst == nil {
		p.worst = map[string]run{}
	}
	p.worst[s.Name] = r
}

// LogOf says in which pod a container's log is worth a look, and whether it is that of the run before the present one;
// ok is false where the container has not run.
func (p *Pods) LogOf(container string) (pod string, previous, ok bool) {
	r, ok := p.worst[container]
	return r.pod, r.previous, ok
}
