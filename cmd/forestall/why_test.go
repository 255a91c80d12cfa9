package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/forestall/forestall/internal/workload"
	"github.com/forestall/forestall/test/apiserver"
	"github.com/forestall/forestall/test/apiserver/apiservertest"
)

// TestKindOf: what kubectl takes for a type is taken here.
func TestKindOf(t *testing.T) {
	for word, want := range map[string]string{
		"deploy": "Deployment", "deployment": "Deployment", "Deployments": "Deployment", "deployments.apps": "Deployment", "po": "Pod", "pods": "Pod",
		"sts": "StatefulSet", "ds": "DaemonSet", "rs": "ReplicaSet", "rc": "ReplicationController", "job": "Job", "cj": "CronJob", "cronjobs.batch": "CronJob",
		"service": "", "deployments.batch": "", "": "",
	} {
		if kind, _ := kindOf(workload.Table{}, word); kind.Kind != want {
			t.Errorf("%q: %q, want %q", word, kind.Kind, want)
		}
	}
}

// TestWhy asks about a Deployment whose pod fails, by its name and by that of its pod, and about what does not exist.
func TestWhy(t *testing.T) {
	c := apiservertest.Start(t)
	failing(t, c)
	const told = `Deployment shop/web is failing (context envtest).

cause  CrashLoopBackOff with exit code 0, echo prints its arguments and ends
rule   command-exits, certain, container web
where  spec.template.spec.containers[0].command
what   kubectl shows Completed (exit code 0) or CrashLoopBackOff: it is started again at once, then after 10s, 20s, 40s, up to 5m, without end. Between the
       starts the pod as a whole is not Ready: Services leave it out. A roll-out stalls, or goes on with pods that keep ending.
why    echo prints its arguments and ends, and restartPolicy is Always.
seen   Completed, exit code 0
       CrashLoopBackOff: back-off 5m0s restarting failed container=web
       restarted 5 times
fix    make it a Job (restartPolicy: OnFailure) if it is to run once; if it is to serve, run a server in the foreground.
more   forestall explain command-exits
`
	for _, tt := range []struct {
		args      []string
		exit      int
		out, errs string
	}{
		{args: []string{"deploy/web", "--no-log"}, exit: exitFound, out: told},
		{args: []string{"pod", "web-1-a", "--no-log"}, exit: exitFound, out: told},
		{args: []string{"deploy/wev"}, exit: exitError, errs: "forestall: namespace \"shop\" has no Deployment \"wev\": did you mean web?\n"},
		{
			args: []string{"deplo/web"}, exit: exitError,
			errs: "forestall: no kind of workload is called \"deplo\": did you mean deploy, deployment or deployments?\nRun 'forestall why --help' for usage.\n",
		},
		{args: []string{"web"}, exit: exitError, errs: "forestall: say which workload: forestall why deploy/web\nRun 'forestall why --help' for usage.\n"},
	} {
		out, errs, exit := why(t, c, tt.args...)
		if exit != tt.exit {
			t.Errorf("%q: exit code %d, want %d", tt.args, exit, tt.exit)
		}
		if diff := cmp.Diff(tt.out, out); diff != "" {
			t.Errorf("%q: stdout (-want +got):\n%s", tt.args, diff)
		}
		if diff := cmp.Diff(tt.errs, errs); diff != "" {
			t.Errorf("%q: stderr (-want +got):\n%s", tt.args, diff)
		}
	}
	// No kubelet runs here: the rest is told without the log.
	if out, _, _ := why(t, c, "deploy/web"); !strings.Contains(out, "\nlog    web of pod web-1-a, its last run: it cannot be read: ") || !strings.Contains(out, "\nfix    ") {
		t.Errorf("with a log that cannot be read:\n%s", out)
	}
}

func why(t *testing.T, c *apiserver.Cluster, args ...string) (out, errs string, exit int) {
	t.Helper()
	var o, e bytes.Buffer
	s := streams{in: strings.NewReader(""), out: &o, err: &e}
	root := newRoot(s)
	root.SetArgs(append([]string{"why", "--no-config", "--kubeconfig", c.Kubeconfig, "-n", "shop"}, args...))
	exit = s.conclude(root.ExecuteContext(t.Context()))
	return o.String(), e.String(), exit
}

// failing makes a Deployment, and what its controllers and a kubelet would make of it.
func failing(t *testing.T, c *apiserver.Cluster) {
	t.Helper()
	labels := map[string]string{"app": "web"}
	template := corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{Labels: labels},
		Spec: corev1.PodSpec{Containers: []corev1.Container{{
			Name: "web", Image: "busybox:1.37", Command: []string{"echo", "hello"},
			Resources: corev1.ResourceRequirements{Limits: corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("64Mi")}},
		}}},
	}
	selector := &metav1.LabelSelector{MatchLabels: labels}
	deployment := &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web"}, Spec: appsv1.DeploymentSpec{Selector: selector, Template: template},
	}
	create := func(o client.Object) {
		t.Helper()
		if err := c.Client.Create(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	}
	create(&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "shop"}})
	create(deployment)
	set := &appsv1.ReplicaSet{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web-1", OwnerReferences: []metav1.OwnerReference{
			*metav1.NewControllerRef(deployment, appsv1.SchemeGroupVersion.WithKind("Deployment")),
		}},
		Spec: appsv1.ReplicaSetSpec{Selector: selector, Template: template},
	}
	create(set)
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web-1-a", Labels: labels, OwnerReferences: []metav1.OwnerReference{
			*metav1.NewControllerRef(set, appsv1.SchemeGroupVersion.WithKind("ReplicaSet")),
		}},
		Spec: template.Spec,
	}
	pod.Spec.NodeName = "node-1"
	create(pod)
	now := metav1.NewTime(time.Now())
	pod.Status = corev1.PodStatus{Phase: corev1.PodRunning, StartTime: &now, ContainerStatuses: []corev1.ContainerStatus{{
		Name: "web", RestartCount: 5,
		State:                corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff", Message: "back-off 5m0s restarting failed container=web"}},
		LastTerminationState: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{Reason: "Completed", StartedAt: now, FinishedAt: now}},
	}}}
	if err := c.Client.Status().Update(t.Context(), pod); err != nil {
		t.Fatal(err)
	}
}
