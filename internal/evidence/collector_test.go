package evidence_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/forestall/forestall/internal/evidence"
	"github.com/forestall/forestall/internal/finding"
)

// asked is when the clusters of these tests were asked.
func asked() time.Time { return time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC) }

// ago is a time as the API writes it.
func ago(d time.Duration) string { return asked().Add(-d).Format(time.RFC3339) }

func shop(name string) finding.Object {
	return finding.Object{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: name}
}

// TestPodTimes looks at pods that are as they should be, or may yet be, and at those that are not.
func TestPodTimes(t *testing.T) {
	const ready = `{type: Ready, status: "True"}`
	running := func(restarts int, started, lastEnd time.Duration, isReady bool) string {
		last := ""
		if restarts > 0 {
			last = fmt.Sprintf("lastState: {terminated: {reason: Error, exitCode: 1, finishedAt: %q}}", ago(lastEnd))
		}
		return fmt.Sprintf(`
metadata: {name: web, uid: u}
spec: {containers: [{name: web}]}
status:
  phase: Running
  startTime: %q
  conditions: [%s]
  containerStatuses:
    - {name: web, ready: %v, started: %v, restartCount: %d, state: {running: {startedAt: %q}}, %s}
`, ago(started), map[bool]string{true: ready}[isReady], isReady, true, restarts, ago(started), last)
	}
	for _, tt := range []struct {
		name, pod string
		// want are the symptoms in short, those that are over in brackets.
		want []string
	}{
		{"healthy", running(0, time.Hour, 0, true), nil},
		{"restarted once, an hour ago", running(1, time.Hour, time.Hour, true), []string{"(terminated Error)", "(restarts)"}},
		{"restarted last week", running(9, 7*24*time.Hour, 7*24*time.Hour, true), nil},
		{"restarted often, and just now", running(3, time.Minute, 2*time.Minute, true), []string{"terminated Error", "restarts"}},
		{"restarted often, and runs for two hours", running(3, 2*time.Hour, 2*time.Hour, true), []string{"(terminated Error)", "(restarts)"}},
		{"just started", running(0, time.Minute, 0, false), nil},
		{"not ready for long", running(0, 3*time.Minute, 0, false), []string{"condition ContainersNotReady"}},
		{"init container goes on", `
metadata: {name: web, uid: u}
spec: {initContainers: [{name: wait}], containers: [{name: web}]}
status:
  phase: Pending
  initContainerStatuses: [{name: wait, state: {running: {startedAt: "` + ago(20*time.Minute) + `"}}}]
  containerStatuses: [{name: web, state: {waiting: {reason: PodInitializing}}}]
`, []string{"running Init"}},
		{"init container runs", `
metadata: {name: web, uid: u}
spec: {initContainers: [{name: wait}], containers: [{name: web}]}
status: {phase: Pending, initContainerStatuses: [{name: wait, state: {running: {startedAt: "` + ago(3*time.Minute) + `"}}}]}
`, []string{"(running Init)"}},
		{"container of a Job goes on", `
metadata: {name: web, uid: u, ownerReferences: [{kind: Job, name: seed}]}
spec: {restartPolicy: Never, containers: [{name: web}]}
status:
  phase: Running
  containerStatuses: [{name: web, ready: true, state: {running: {startedAt: "` + ago(20*time.Minute) + `"}}}]
`, []string{"running Job"}},
		{"going away for long", `
metadata: {name: web, uid: u, deletionTimestamp: "` + ago(20*time.Minute) + `"}
status: {phase: Running}
`, []string{"phase Terminating"}},
		{"going away", `
metadata: {name: web, uid: u, deletionTimestamp: "` + ago(2*time.Minute) + `"}
status: {phase: Running, containerStatuses: [{name: web, state: {terminated: {reason: Error, exitCode: 137}}}]}
`, nil},
		{"succeeded", `
metadata: {name: web, uid: u}
spec: {restartPolicy: Never}
status: {phase: Succeeded, containerStatuses: [{name: web, state: {terminated: {reason: Completed, finishedAt: "` + ago(time.Minute) + `"}}}]}
`, nil},
		{"evicted two hours ago", `
metadata: {name: web, uid: u}
spec: {restartPolicy: Always}
status:
  phase: Failed
  reason: Evicted
  conditions: [{type: DisruptionTarget, status: "True", lastTransitionTime: "` + ago(2*time.Hour) + `"}]
`, []string{"(phase Evicted)"}},
		{"creating for long", `
metadata: {name: web, uid: u}
spec: {nodeName: n, containers: [{name: web}]}
status: {phase: Pending, startTime: "` + ago(20*time.Minute) + `", containerStatuses: [{name: web, state: {waiting: {reason: ContainerCreating}}}]}
`, []string{"waiting ContainerCreating"}},
		{"creating", `
metadata: {name: web, uid: u}
spec: {nodeName: n, containers: [{name: web}]}
status: {phase: Pending, startTime: "` + ago(time.Minute) + `", containerStatuses: [{name: web, state: {waiting: {reason: ContainerCreating}}}]}
`, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := evidence.New(evidence.Options{Now: asked()})
			c.Pod(decode(t, tt.pod, new(corev1.Pod)), shop("web"))
			var got []string
			for _, s := range c.Symptoms(shop("web")) {
				text := strings.TrimSpace(string(s.Kind) + " " + s.Reason)
				if s.Over {
					text = "(" + text + ")"
				}
				got = append(got, text)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// TestEventsSettled passes over events of what has been settled since, and of pods that are gone.
func TestEventsSettled(t *testing.T) {
	c := evidence.New(evidence.Options{Now: asked()})
	tell := func(uid, container, reason, message string) {
		e := &corev1.Event{Reason: reason, Message: message, Count: 4}
		e.InvolvedObject = corev1.ObjectReference{Kind: "Pod", UID: types.UID(uid), FieldPath: container}
		c.Event(e)
	}
	const web = "spec.containers{web}"
	tell("u", "", "FailedScheduling", "0/1 nodes are available: 1 Insufficient cpu.")
	tell("u", "", "FailedMount", `secret "tls" not found`)
	tell("u", web, "Failed", "Error: ErrImagePull")
	tell("u", web, "Unhealthy", "Readiness probe failed: connection refused")
	tell("u", web, "Unhealthy", "Liveness probe errored and resulted in unknown state: strconv.Atoi")
	tell("u", web, "Killing", "Stopping container web")
	tell("gone", web, "BackOff", "Back-off restarting failed container web in pod web-1")
	c.Pod(decode(t, `
metadata: {name: web, uid: u}
spec: {nodeName: n, containers: [{name: web}]}
status:
  phase: Running
  conditions: [{type: Ready, status: "True"}]
  containerStatuses: [{name: web, ready: true, started: true, state: {running: {startedAt: "`+ago(time.Hour)+`"}}}]
`, new(corev1.Pod)), shop("web"))
	want := []finding.Symptom{{
		Kind: finding.Event, Container: "web", Reason: "Unhealthy", Count: 4, Pods: 1, Over: true,
		Message: "Liveness probe errored and resulted in unknown state: strconv.Atoi",
	}}
	if diff := cmp.Diff(want, c.Symptoms(shop("web"))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestRetriedJob passes over the first pods of a Job that is complete, and over none of a CronJob's.
func TestRetriedJob(t *testing.T) {
	for kind, troubles := range map[string]int{"Job": 0, "CronJob": 1} {
		c := evidence.New(evidence.Options{Now: asked()})
		of := finding.Object{APIVersion: "batch/v1", Kind: kind, Namespace: "shop", Name: "import"}
		c.Workload(of, []byte(`{"metadata": {"uid": "j"}, "status": {"conditions": [{"type": "Complete", "status": "True"}]}}`))
		c.Pod(decode(t, `
spec: {restartPolicy: Never}
status:
  phase: Failed
  containerStatuses: [{name: import, state: {terminated: {reason: Error, exitCode: 2, finishedAt: "`+ago(time.Minute)+`"}}}]
`, new(corev1.Pod)), of)
		if got := none().Match(of, nil, c.Symptoms(of)); len(got) != troubles {
			t.Errorf("%s: %d troubles, want %d: %v", kind, len(got), troubles, got)
		}
	}
}

// TestBounds keeps at most 32 symptoms of one workload, with 512 bytes of a message.
func TestBounds(t *testing.T) {
	c := evidence.New(evidence.Options{Now: asked()})
	for i := range 100 {
		p := &corev1.Pod{}
		p.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: fmt.Sprintf("c%d", i)}}
		p.Status.ContainerStatuses[0].State.Waiting = &corev1.ContainerStateWaiting{Reason: "ErrImagePull", Message: strings.Repeat("ü", 1000)}
		c.Pod(p, shop("web"))
	}
	all := c.Symptoms(shop("web"))
	if len(all) != 32 || c.Pods(shop("web")) != 100 {
		t.Errorf("%d symptoms of %d pods", len(all), c.Pods(shop("web")))
	}
	for _, s := range all {
		if len(s.Message) > 512 || !strings.HasSuffix(s.Message, "ü…") {
			t.Errorf("message of %d bytes: %s", len(s.Message), s.Message)
		}
	}
}

// TestEventsBounded keeps 50,000 events of objects that may come, and 8 different ones of each.
func TestEventsBounded(t *testing.T) {
	c := evidence.New(evidence.Options{Now: asked()})
	tell := func(uid, container string) {
		e := &corev1.Event{Reason: "BackOff"}
		e.InvolvedObject = corev1.ObjectReference{Kind: "Pod", UID: types.UID(uid), FieldPath: "spec.containers{" + container + "}"}
		c.Event(e)
	}
	for i := range 20 {
		tell("u", fmt.Sprint(i))
	}
	for i := range 50_000 {
		tell(fmt.Sprint(i), "web")
	}
	if got := c.Dropped(); got != 8 {
		t.Errorf("%d events were dropped, want 8", got)
	}
	c.Pod(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{UID: "u"}}, shop("web"))
	if got := len(c.Symptoms(shop("web"))); got != 8 {
		t.Errorf("%d symptoms, want 8", got)
	}
	for i := range 10 {
		tell(fmt.Sprint("late-", i), "web")
	}
	if got := c.Dropped(); got != 10 { // what was claimed has made room for 8
		t.Errorf("%d events were dropped, want 10", got)
	}
}

// TestMemory takes in 20,000 pods, of which 19,000 are healthy and 1000 fail alike: what is kept does not follow their number.
func TestMemory(t *testing.T) {
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := heap()
	c := evidence.New(evidence.Options{Now: asked()})
	for i := range 500 {
		n := &corev1.Node{}
		n.Name = fmt.Sprintf("node-%d", i)
		c.Node(n)
	}
	for i := range 1000 {
		e := &corev1.Event{Reason: "BackOff", Message: "Back-off restarting failed container web in pod web", Count: 4}
		e.InvolvedObject = corev1.ObjectReference{Kind: "Pod", UID: types.UID(fmt.Sprintf("uid-%d", i)), FieldPath: "spec.containers{web}"}
		c.Event(e)
	}
	for i := range 20_000 {
		p := &corev1.Pod{}
		p.UID, p.Spec.NodeName = types.UID(fmt.Sprintf("uid-%d", i)), fmt.Sprintf("node-%d", i%500)
		s := corev1.ContainerStatus{Name: "web", Ready: true, Started: new(true)}
		s.State.Running = &corev1.ContainerStateRunning{}
		if i < 1000 {
			s.State = corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff", Message: fmt.Sprint("pod ", i)}}
		}
		p.Status.ContainerStatuses = []corev1.ContainerStatus{s}
		c.Pod(p, shop(fmt.Sprintf("web-%d", i%3000)))
	}
	if kept := heap() - before; kept > 2<<20 {
		t.Errorf("%d KiB are kept of 3000 workloads, 500 nodes and 20,000 pods", kept>>10)
	} else {
		t.Logf("%d KiB are kept", kept>>10)
	}
	if n := len(c.Nodes()); n != 500 || c.Pods(shop("web-7")) < 6 {
		t.Errorf("%d nodes, %d pods of a workload", n, c.Pods(shop("web-7")))
	}
}
