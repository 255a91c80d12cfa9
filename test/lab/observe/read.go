package observe

import (
	"context"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Namespace reads the state of a namespace. A pod that is given is taken as it was
// then, not as the reader has it now: a state may last for less than a moment.
func Namespace(ctx context.Context, reader client.Reader, namespace string, then *corev1.Pod) (State, error) {
	var (
		pods   corev1.PodList
		events corev1.EventList
		jobs   batchv1.JobList
		deploy appsv1.DeploymentList
		sets   appsv1.ReplicaSetList
		slices discoveryv1.EndpointSliceList
	)
	for _, list := range []client.ObjectList{&pods, &events, &jobs, &deploy, &sets, &slices} {
		if err := reader.List(ctx, list, client.InNamespace(namespace)); err != nil {
			return State{}, fmt.Errorf("observing namespace %s: %w", namespace, err)
		}
	}
	about := map[types.UID][]Event{}
	for i := range events.Items {
		e := &events.Items[i]
		about[e.InvolvedObject.UID] = append(about[e.InvolvedObject.UID], Event{Reason{e.Reason, e.Message}, e.Type})
	}
	var s State
	for i := range pods.Items {
		p := &pods.Items[i]
		if then != nil && p.UID == then.UID {
			p = then
		}
		s.Pods = append(s.Pods, podOf(p, about[p.UID]))
	}
	for i := range jobs.Items {
		s.Jobs = append(s.Jobs, jobOf(&jobs.Items[i]))
	}
	for i := range deploy.Items {
		s.Deployments = append(s.Deployments, deploymentOf(&deploy.Items[i], sets.Items))
	}
	s.Services = servicesOf(slices.Items)
	return s, nil
}

func podOf(p *corev1.Pod, events []Event) Pod {
	out := Pod{
		Name: p.Name, Labels: p.Labels, Phase: string(p.Status.Phase),
		Reason: p.Status.Reason, Message: p.Status.Message, Events: events,
	}
	for _, c := range p.Status.Conditions {
		out.Conditions = append(out.Conditions, Condition{Reason{c.Reason, c.Message}, string(c.Type), string(c.Status)})
	}
	for _, statuses := range [][]corev1.ContainerStatus{p.Status.InitContainerStatuses, p.Status.ContainerStatuses} {
		for i := range statuses {
			out.Containers = append(out.Containers, containerOf(&statuses[i]))
		}
	}
	return out
}

func containerOf(s *corev1.ContainerStatus) Container {
	c := Container{Name: s.Name, Ready: s.Ready, Restarts: int(s.RestartCount), Running: s.State.Running != nil}
	if w := s.State.Waiting; w != nil {
		c.Waiting = &Reason{w.Reason, w.Message}
	}
	for _, t := range []*corev1.ContainerStateTerminated{s.State.Terminated, s.LastTerminationState.Terminated} {
		if t != nil {
			c.Ended = append(c.Ended, Ended{Reason{t.Reason, t.Message}, int(t.ExitCode)})
		}
	}
	return c
}

func jobOf(j *batchv1.Job) Job {
	out := Job{Name: j.Name, Succeeded: int(j.Status.Succeeded), Failed: int(j.Status.Failed)}
	for _, c := range j.Status.Conditions {
		out.Conditions = append(out.Conditions, Condition{Reason{c.Reason, c.Message}, string(c.Type), string(c.Status)})
	}
	return out
}

func deploymentOf(d *appsv1.Deployment, sets []appsv1.ReplicaSet) Deployment {
	out := Deployment{Name: d.Name}
	for i := range sets {
		if metav1.IsControlledBy(&sets[i], d) {
			out.ReplicaSets++
		}
	}
	for _, c := range d.Status.Conditions {
		out.Conditions = append(out.Conditions, Condition{Reason{c.Reason, c.Message}, string(c.Type), string(c.Status)})
	}
	return out
}

// servicesOf adds up the slices of each Service.
func servicesOf(slices []discoveryv1.EndpointSlice) []Service {
	var out []Service
	at := map[string]int{}
	for i := range slices {
		name := slices[i].Labels[discoveryv1.LabelServiceName]
		if _, ok := at[name]; !ok {
			at[name] = len(out)
			out = append(out, Service{Name: name})
		}
		s := &out[at[name]]
		s.Ports = append(s.Ports, portsOf(&slices[i])...)
		for _, e := range slices[i].Endpoints {
			if e.Conditions.Ready == nil || *e.Conditions.Ready {
				s.Ready++
			} else {
				s.NotReady++
			}
		}
	}
	return out
}

// portsOf are the ports of a slice that has endpoints; the one port of a Service has no name.
func portsOf(slice *discoveryv1.EndpointSlice) []string {
	var names []string
	for _, p := range slice.Ports {
		if p.Port != nil && len(slice.Endpoints) > 0 {
			names = append(names, ptr.Deref(p.Name, ""))
		}
	}
	return names
}
