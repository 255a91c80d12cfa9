package observe

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
)

func TestNamespace(t *testing.T) {
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", UID: "1", Labels: map[string]string{"app": "web"}},
		Status: corev1.PodStatus{
			Phase:      corev1.PodRunning,
			Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionFalse, Reason: "ContainersNotReady"}},
			InitContainerStatuses: []corev1.ContainerStatus{{
				Name: "proxy", Ready: true, State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{}},
			}},
			ContainerStatuses: []corev1.ContainerStatus{{
				Name: "web", RestartCount: 2,
				State:                corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff", Message: "back-off"}},
				LastTerminationState: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{Reason: "Error", ExitCode: 3}},
			}},
		},
	}
	event := func(name string, about *corev1.Pod) *corev1.Event {
		return &corev1.Event{
			ObjectMeta:     metav1.ObjectMeta{Namespace: "shop", Name: name},
			InvolvedObject: corev1.ObjectReference{UID: about.UID}, Type: "Warning", Reason: "BackOff", Message: name,
		}
	}
	slice := &discoveryv1.EndpointSlice{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web-1", Labels: map[string]string{discoveryv1.LabelServiceName: "web"}},
		Endpoints: []discoveryv1.Endpoint{
			{Conditions: discoveryv1.EndpointConditions{Ready: new(true)}},
			{},
			{Conditions: discoveryv1.EndpointConditions{Ready: new(false)}},
		},
		Ports: []discoveryv1.EndpointPort{{Name: new("http"), Port: new(int32(8080))}, {Name: new("gone")}},
	}
	deployment := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", UID: "3"}}
	set := &appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{
		Namespace: "shop", Name: "web-1",
		OwnerReferences: []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "Deployment", Name: "web", UID: "3", Controller: new(true)}},
	}}
	orphan := &appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "orphan"}}
	other := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "bank", Name: "other", UID: "2"}}
	reader := fake.NewClientBuilder().WithScheme(scheme.Scheme).
		WithObjects(pod, other, event("mine", pod), event("another's", other), slice, deployment, set, orphan).Build()

	got, err := Namespace(t.Context(), reader, "shop", nil)
	if err != nil {
		t.Fatal(err)
	}
	want := State{
		Pods: []Pod{{
			Name: "web", Labels: map[string]string{"app": "web"}, Phase: "Running",
			Conditions: []Condition{{Reason{"ContainersNotReady", ""}, "Ready", "False"}},
			Containers: []Container{
				{Name: "proxy", Ready: true, Running: true},
				{Name: "web", Restarts: 2, Waiting: &Reason{"CrashLoopBackOff", "back-off"}, Ended: []Ended{{Reason{"Error", ""}, 3}}},
			},
			Events: []Event{{Reason{"BackOff", "mine"}, "Warning"}},
		}},
		Deployments: []Deployment{{Name: "web", ReplicaSets: 1}},
		Services:    []Service{{Name: "web", Ready: 2, NotReady: 1, Ports: []string{"http"}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
