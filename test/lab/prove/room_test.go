package prove

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/forestall/forestall/test/lab/proof"
)

// lasting is a case that takes so long, and looks on for so long of it.
func lasting(name string, within, quiet time.Duration, takes share) job {
	c := proof.Case{Name: name, Within: metav1.Duration{Duration: within}, Expect: []proof.Expectation{
		{StillNot: metav1.Duration{Duration: quiet}},
	}}
	return job{&running{rule: &rule{}, report: proof.CaseReport{Case: c}}, takes}
}

// begins runs the jobs, each for half of its time or as long as it looks on, and
// returns when each began.
func begins(t *testing.T, room share, jobs ...job) map[string]time.Duration {
	t.Helper()
	began := map[string]time.Duration{}
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		begin := time.Now()
		(&prover{}).sideBySide(t.Context(), room, jobs, func(_ context.Context, r *running) error {
			mu.Lock()
			began[r.report.Case.Name] = time.Since(begin)
			mu.Unlock()
			time.Sleep(r.report.Case.Expected())
			return nil
		})
	})
	return began
}

func TestSideBySide(t *testing.T) {
	one := share{starts: 1}
	for _, tt := range []struct {
		name string
		room share
		jobs []job
		want map[string]time.Duration
	}{
		{"the longest first", one, []job{
			lasting("short", 2*time.Second, 0, one), lasting("long", 20*time.Second, 0, one),
		}, map[string]time.Duration{"long": 0, "short": 10 * time.Second}},
		{"who only looks on lets others start", one, []job{
			lasting("start", time.Minute, 0, one), lasting("look", 11*time.Minute, 10*time.Minute, one), lasting("end", time.Second, 0, one),
		}, map[string]time.Duration{"look": 0, "start": settled, "end": settled + 30*time.Second}},
		{"what fits passes what does not", share{starts: 9, memory: 100}, []job{
			lasting("most", 20*time.Second, 0, share{memory: 80}), lasting("half", 10*time.Second, 0, share{memory: 50}),
			lasting("some", 2*time.Second, 0, share{memory: 20}),
		}, map[string]time.Duration{"most": 0, "some": 0, "half": 10 * time.Second}},
		{"what wants more than there is gets all", share{starts: 9, memory: 100}, []job{
			lasting("all", 20*time.Second, 0, share{memory: 800}), lasting("some", 2*time.Second, 0, share{memory: 1}),
		}, map[string]time.Duration{"all": 0, "some": 10 * time.Second}},
		{"memory is held to the end", share{starts: 9, memory: 100}, []job{
			lasting("look", time.Minute, 40*time.Second, share{starts: 1, memory: 80}), lasting("some", 2*time.Second, 0, share{memory: 30}),
		}, map[string]time.Duration{"look": 0, "some": 40 * time.Second}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, begins(t, tt.room, tt.jobs...)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// TestTwiceTheCases holds that what mostly waits costs no time of its own: twice the
// cases that look on for a minute end with the one that takes ten.
func TestTwiceTheCases(t *testing.T) {
	takes := share{starts: 1, pods: 1, memory: 64 << 20}
	for _, n := range []int{50, 100} {
		jobs := []job{lasting("ten-minutes", 11*time.Minute, 10*time.Minute, takes)}
		for i := range n {
			jobs = append(jobs, lasting("case"+string(rune('0'+i)), 2*time.Minute, time.Minute, takes))
		}
		began := begins(t, node(), jobs...)
		last := slices.Max(slices.Collect(func(yield func(time.Duration) bool) {
			for _, at := range began {
				if !yield(at) {
					return
				}
			}
		}))
		if len(began) != n+1 || last+time.Minute > 10*time.Minute {
			t.Errorf("%d cases: %d ran, the last began after %s", n, len(began), last)
		}
	}
}

func TestSideBySideEnds(t *testing.T) {
	stop := errors.New("stopped")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(stop)
	j := lasting("never", time.Hour, time.Hour, share{starts: 1})
	(&prover{}).sideBySide(ctx, node(), []job{j}, func(context.Context, *running) error {
		t.Error("it was begun")
		return nil
	})
	if !errors.Is(j.report.Err, stop) {
		t.Errorf("got %v", j.report.Err)
	}
}

func TestShareOf(t *testing.T) {
	container := func(field, memory string) any {
		return map[string]any{"image": "web:1", "resources": map[string]any{field: map[string]any{"memory": memory}}}
	}
	template := map[string]any{"spec": map[string]any{
		"initContainers": []any{map[string]any{"image": "busybox:1.37"}},
		"containers":     []any{container("requests", "64Mi"), container("limits", "1Gi"), container("limits", "16Mi")},
	}}
	const memory = 32<<20 + 64<<20 + 1<<30 + 32<<20
	for _, tt := range []struct {
		name   string
		object map[string]any
		want   share
	}{
		{"a pod", template, share{pods: 1, memory: memory}},
		{"replicas", map[string]any{"spec": map[string]any{"replicas": int64(3), "template": template}}, share{pods: 3, memory: 3 * memory}},
		{"none of it", map[string]any{"spec": map[string]any{"replicas": int64(0), "template": template}}, share{}},
		{"a Service", map[string]any{"spec": map[string]any{"selector": map[string]any{"app": "web"}}}, share{}},
	} {
		if diff := cmp.Diff(tt.want, shareOf(&unstructured.Unstructured{Object: tt.object}), cmp.AllowUnexported(share{})); diff != "" {
			t.Errorf("%s: -want +got:\n%s", tt.name, diff)
		}
	}
}
