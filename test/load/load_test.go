package load

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/forestall/forestall/test/apiserver"
)

const (
	// limit is the memory that an installation would give the container.
	limit = 256 << 20
	// services is how many Services there are in a large cluster.
	services = 10_000
	// connections send large bodies for a span, one after the other.
	connections = 64
	span        = 10 * time.Second
)

// TestMemoryLimit sends large bodies over many connections to a webhook that knows a large
// cluster, and small ones meanwhile. The process stays below the limit; each small Pod, which
// would fail, is denied.
func TestMemoryLimit(t *testing.T) {
	if testing.Short() {
		t.Skip("starts an API server")
	}
	log.SetLogger(logr.Discard())
	cluster, err := apiserver.Start(t.Context(), apiserver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := cluster.Stop(); err != nil {
			t.Error(err)
		}
	})
	createServices(t, cluster)
	hook, err := cluster.StartWebhook(t.Context(), apiserver.WebhookOptions{
		// As docs/operating.md says.
		Env:          []string{fmt.Sprintf("GOMEMLIMIT=%d", limit/4*3)},
		Unregistered: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	before := peak(t, hook.PID())
	answers := flood(t, hook)
	after := peak(t, hook.PID())
	t.Logf("peak %d MiB before and %d MiB after; answers %v", before>>20, after>>20, answers)
	if after >= limit {
		t.Errorf("the process took %d MiB, the limit is %d MiB", after>>20, limit>>20)
	}
	if answers["small: denied"] < 20 || answers["large: 200"] == 0 {
		t.Errorf("too few answers: %v", answers)
	}
	if t.Failed() {
		t.Logf("log of the webhook:\n%.4000s", hook.Logs())
	}
}

// peak is the most memory that a process has had, in bytes.
func peak(t *testing.T, pid int) int64 {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if os.IsNotExist(err) {
		t.Skip("the peak of memory is read from /proc")
	}
	if err != nil {
		t.Fatalf("the process has ended: %v", err)
	}
	match := regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindSubmatch(text)
	if match == nil {
		t.Fatalf("no VmHWM in\n%s", text)
	}
	kibibytes, err := strconv.ParseInt(string(match[1]), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return kibibytes << 10
}

// counts are how often there was each answer.
type counts struct {
	mu  sync.Mutex
	all map[string]int
}

func (c *counts) add(answer string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all[answer]++
}

// flood sends large bodies over all connections and small ones over two more.
func flood(t *testing.T, hook *apiserver.Webhook) map[string]int {
	t.Helper()
	got := &counts{all: map[string]int{}}
	large, small := append(largeReviews(), heavyReviews()...), review(failing)
	ctx, cancel := context.WithTimeout(t.Context(), span)
	defer cancel()
	var all sync.WaitGroup
	for i := range connections {
		all.Go(func() {
			c := newClient(t, hook)
			path := []string{"/validate", "/mutate"}[i%2]
			for n := i; ctx.Err() == nil; n++ {
				code, _ := c.post(t, path, large[n%len(large)])
				got.add(fmt.Sprintf("large: %d", code))
			}
		})
	}
	for range 2 {
		all.Go(func() {
			c := newClient(t, hook)
			for ctx.Err() == nil {
				start := time.Now()
				code, body := c.post(t, "/validate", small)
				if code != http.StatusOK || !strings.Contains(body, `"allowed":false`) || !strings.Contains(body, `"decision":"deny"`) {
					t.Errorf("a small Pod that fails is not denied after %s: %d %.300s", time.Since(start), code, body)
					return
				}
				got.add("small: denied")
				time.Sleep(20 * time.Millisecond)
			}
		})
	}
	all.Wait()
	return got.all
}
