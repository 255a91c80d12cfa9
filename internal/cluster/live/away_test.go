package live_test

import (
	"errors"
	"flag"
	"math"
	"net/http"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"github.com/forestall/forestall/internal/cluster/live"
	"github.com/forestall/forestall/test/apiserver"
	"github.com/forestall/forestall/test/apiserver/apiservertest"
)

var away = flag.Duration("away", 4*time.Second, "for how long the API server is away, at the start and later")

// TestAway: without an API server a Feeder becomes ready when its patience ends, with everything
// unknown. It asks less and less often, logs one line for each kind, keeps nothing of its failures,
// and recovers by itself. The same holds when the API server goes away later.
func TestAway(t *testing.T) {
	c := apiservertest.Start(t)
	create(t, c, &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "default"},
		Spec:       corev1.ServiceSpec{Selector: map[string]string{"app": "web"}, Ports: []corev1.ServicePort{{Port: 80}}},
	})
	var asked atomic.Int64
	config := rest.CopyConfig(c.Config)
	config.Wrap(func(to http.RoundTripper) http.RoundTripper { return counting{to, &asked} })
	goes(t, c)
	begin := time.Now()
	f, logged := startPatient(t, config, min(*away/2, live.DefaultPatience))
	if err := f.Ready(); err == nil {
		t.Error("it is ready at once")
	}
	eventually(t, f.Ready)
	t.Logf("ready without an API server after %s", time.Since(begin).Round(100*time.Millisecond))
	idle := stays(t, f, &asked)
	want := eachKind("Objects of this kind are not known: nothing is denied because of them")
	if diff := cmp.Diff(want, sortedLines(logged())); diff != "" {
		t.Errorf("logged while it is away (-want +got):\n%s", diff)
	}

	comes(t, c)
	back := time.Now()
	eventually(t, func() error { return errors.Join(f.Unknown()...) })
	t.Logf("everything is known %s after it is back", time.Since(back).Round(100*time.Millisecond))
	want = slices.Concat(want, eachKind("Objects of this kind are known again"))
	if diff := cmp.Diff(want, sortedLines(logged())); diff != "" {
		t.Errorf("logged when it is back (-want +got):\n%s", diff)
	}
	if got := f.Store().ServicesOf(nil, "default", map[string]string{"app": "web"}); len(got.Objects) != 1 || got.Unknown != "" {
		t.Errorf("Services: %+v", got)
	}

	goes(t, c)
	gone := time.Now()
	eventually(t, func() error {
		if len(f.Unknown()) < 3 {
			return errors.New("something is still known")
		}
		return f.Ready()
	})
	t.Logf("everything is unknown %s after it has gone", time.Since(gone).Round(100*time.Millisecond))
	if got := f.Store().ServicesOf(nil, "default", map[string]string{"app": "web"}); len(got.Objects) != 0 || got.Unknown == "" {
		t.Errorf("Services that are not known any more: %+v", got)
	}
	if later := stays(t, f, &asked); later > idle+10 {
		t.Errorf("%d goroutines, and %d when it was away before", later, idle)
	}
	comes(t, c)
	eventually(t, func() error { return errors.Join(f.Unknown()...) })
	if lines := logged(); len(lines) != 12 {
		t.Errorf("%d lines are logged: %q", len(lines), lines)
	}
}

// stays waits while the API server is away, and returns how many goroutines there are at the end.
func stays(t *testing.T, f *live.Feeder, asked *atomic.Int64) int {
	t.Helper()
	before := asked.Load()
	heap := heapInUse()
	time.Sleep(*away)
	attempts := asked.Load() - before
	t.Logf("in %s: %d requests, %d goroutines, the heap grows by %d KiB", *away, attempts, runtime.NumGoroutine(), (heapInUse()-heap)>>10)
	// A list may be asked for in two ways.
	most := 3 * 2 * (2 + math.Log2(1+away.Seconds()/0.8) + away.Seconds()/10)
	if float64(attempts) > most {
		t.Errorf("%d requests in %s, want at most %.0f", attempts, *away, most)
	}
	if len(f.Unknown()) != 3 || f.Ready() != nil {
		t.Errorf("unknown: %v; ready: %v", f.Unknown(), f.Ready())
	}
	return runtime.NumGoroutine()
}

func heapInUse() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc) //nolint:gosec // far less than the largest
}

func eachKind(message string) []string {
	return []string{"LimitRange: " + message, "Namespace: " + message, "Service: " + message}
}

// sortedLines sorts the lines of each kind of message: the kinds are watched side by side.
func sortedLines(lines []string) []string {
	for part := range slices.Chunk(lines, 3) {
		slices.Sort(part)
	}
	return lines
}

func goes(t *testing.T, c *apiserver.Cluster) {
	t.Helper()
	if err := c.StopAPIServer(); err != nil {
		t.Fatal(err)
	}
}

func comes(t *testing.T, c *apiserver.Cluster) {
	t.Helper()
	if err := c.StartAPIServer(); err != nil {
		t.Fatal(err)
	}
}

// counting counts requests.
type counting struct {
	http.RoundTripper
	asked *atomic.Int64
}

func (c counting) RoundTrip(r *http.Request) (*http.Response, error) {
	c.asked.Add(1)
	return c.RoundTripper.RoundTrip(r)
}
