package main

import (
	"context"
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// upTo creates pods until there are n.
func (m *maker) upTo(ctx context.Context, n int) error {
	from := m.made
	err := each(ctx, n-from, func(ctx context.Context, i int) error { return m.pod(ctx, from+i) })
	if err != nil {
		return fmt.Errorf("creating pods: %w", err)
	}
	m.made = n
	return nil
}

// restarts are the pods with a container that ends again and again.
func restarts(pod int) bool { return pod%50 == 21 }

// pod creates a pod of one of the workloads, its status and, if it is in trouble, an event.
func (m *maker) pod(ctx context.Context, n int) error {
	i := n % m.workloads
	owner := m.owners[i]
	apiVersion, kind := "apps/v1", "ReplicaSet"
	switch owner.(type) {
	case *appsv1.StatefulSet:
		kind = "StatefulSet"
	case *appsv1.DaemonSet:
		kind = "DaemonSet"
	case *batchv1.Job:
		apiVersion, kind = "batch/v1", "Job"
	}
	template := m.specs[i].DeepCopy()
	p := &corev1.Pod{ObjectMeta: owned(owner, apiVersion, kind, fmt.Sprintf("%s-%05d", owner.GetName(), n)), Spec: template.Spec}
	p.Labels = template.Labels
	p.Spec.NodeName = nodeName(n % m.nodes)
	if injected(i) {
		mesh := corev1.Container{Name: "mesh", Image: "registry.example.com/mesh/proxy:1.2.3"}
		p.Spec.Containers = append(p.Spec.Containers, mesh)
	}
	if err := m.client.Create(ctx, p); err != nil {
		return err
	}
	p.Status = status(p, restarts(n))
	if err := m.client.Status().Update(ctx, p); err != nil || !restarts(n) {
		return err
	}
	return m.event(ctx, p)
}

// status is what a kubelet reports.
func status(p *corev1.Pod, failing bool) corev1.PodStatus {
	began := metav1.NewTime(time.Now().Add(-time.Hour).Truncate(time.Second))
	s := corev1.PodStatus{Phase: corev1.PodRunning, StartTime: &began}
	ready := corev1.ConditionTrue
	for i := range p.Spec.Containers {
		c := &p.Spec.Containers[i]
		up := corev1.ContainerStatus{
			Name: c.Name, Image: c.Image, ImageID: c.Image + "@sha256:0123456789abcdef", Ready: true,
			State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: began}},
		}
		if failing && i == 1 {
			ready, up.Ready, up.RestartCount = corev1.ConditionFalse, false, 12
			up.State = corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff", Message: "back-off 5m0s restarting failed container"}}
			up.LastTerminationState.Terminated = &corev1.ContainerStateTerminated{ExitCode: 1, Reason: "Error", StartedAt: began, FinishedAt: metav1.Now()}
		}
		s.ContainerStatuses = append(s.ContainerStatuses, up)
	}
	for _, t := range []corev1.PodConditionType{corev1.PodScheduled, corev1.PodInitialized, corev1.ContainersReady, corev1.PodReady} {
		is := corev1.ConditionTrue
		if t == corev1.ContainersReady || t == corev1.PodReady {
			is = ready
		}
		s.Conditions = append(s.Conditions, corev1.PodCondition{Type: t, Status: is, LastTransitionTime: began})
	}
	return s
}

// event says that a pod restarts.
func (m *maker) event(ctx context.Context, p *corev1.Pod) error {
	return m.client.Create(ctx, &corev1.Event{
		ObjectMeta:     metav1.ObjectMeta{Namespace: p.Namespace, Name: p.Name + ".1"},
		InvolvedObject: corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: p.Namespace, Name: p.Name, UID: p.UID, FieldPath: "spec.containers{agent}"},
		Type:           corev1.EventTypeWarning, Reason: "BackOff", Message: "Back-off restarting failed container agent",
		Count: 42, FirstTimestamp: metav1.Now(), LastTimestamp: metav1.Now(),
	})
}

// expect holds the audit against what was created.
func (m *maker) expect(pods int, r result) error {
	services, varied, mistakes := 1, 0, 0 // the API server has a Service
	for i := range m.owners {
		if i%3 == 0 {
			services++
		}
		if injected(i) && i < pods {
			varied++
		}
		if wrong(i) {
			mistakes++
		}
	}
	if want := m.workloads + services + varied; r.judged != want {
		return fmt.Errorf("the audit of %d pods has judged %d objects: want %d workloads, %d Services and %d that differ from their workload", pods, r.judged, m.workloads, services, varied)
	}
	if r.findings < mistakes+varied {
		return fmt.Errorf("the audit of %d pods has %d findings: there are %d mistakes, and %d containers without a limit", pods, r.findings, mistakes, varied)
	}
	return nil
}
