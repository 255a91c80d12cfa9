package webhook

import (
	"context"
	"crypto/tls"
	"errors"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/forestall/forestall/internal/certs/certtest"
)

// TestRememberedCheck: however many ask, a check is made once at a time and once in a second. One
// that takes long changes nothing for ten seconds; then it has failed.
func TestRememberedCheck(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		made, takes, result := 0, time.Duration(0), error(nil)
		var guard sync.Mutex // of these three
		m := newRemembered(func(r *http.Request) error {
			guard.Lock()
			made++
			takes, result := takes, result
			guard.Unlock()
			select {
			case <-time.After(takes):
				return result
			case <-r.Context().Done():
				return r.Context().Err()
			}
		})
		ask := func(n int) map[error]int {
			t.Helper()
			var all sync.WaitGroup
			var mu sync.Mutex
			answers := map[error]int{}
			for range n {
				all.Go(func() {
					ctx, cancel := context.WithTimeout(t.Context(), time.Second) // as the kubelet
					defer cancel()
					err := m.check(httptest.NewRequestWithContext(ctx, http.MethodGet, "/readyz", nil))
					mu.Lock()
					defer mu.Unlock()
					answers[err]++
				})
			}
			all.Wait()
			return answers
		}
		broken := errors.New("broken")
		for _, step := range []struct {
			name   string
			wait   time.Duration
			takes  time.Duration
			result error
			want   error
			made   int // so far
		}{
			{name: "the first", takes: 100 * time.Millisecond, made: 1},
			{name: "remembered", wait: rememberTime / 2, result: broken, made: 1},
			{name: "made again meanwhile", wait: rememberTime, takes: 100 * time.Millisecond, result: broken, made: 2},
			{name: "known by then", wait: 200 * time.Millisecond, want: broken, made: 2},
			{name: "mended", wait: rememberTime, takes: 100 * time.Millisecond, want: broken, made: 3},
			{name: "known again", wait: 200 * time.Millisecond, made: 3},
			{name: "hanging", wait: rememberTime, takes: time.Hour, made: 4},
			{name: "still", wait: staleTime / 2, takes: time.Hour, made: 4},
			{name: "for too long", wait: staleTime, takes: time.Hour, want: context.DeadlineExceeded, made: 5},
		} {
			time.Sleep(step.wait)
			guard.Lock()
			takes, result = step.takes, step.result
			guard.Unlock()
			got := ask(100)
			synctest.Wait() // until a check that nobody waits for has begun
			guard.Lock()
			if got[step.want] != 100 || made != step.made {
				t.Errorf("%s: %v and %d checks, want 100 times %v and %d", step.name, got, made, step.want, step.made)
			}
			guard.Unlock()
		}
		time.Sleep(time.Hour)
	})
}

// handshakes counts those of a server.
type handshakes struct {
	Certificates
	made atomic.Int64
}

func (h *handshakes) GetCertificate(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
	h.made.Add(1)
	return h.Certificates.GetCertificate(hello)
}

// TestManyProbesMakeFewHandshakes asks /readyz from a thousand clients.
func TestManyProbesMakeFewHandshakes(t *testing.T) {
	pair := certtest.New(t, "webhook", time.Now().Add(time.Hour))
	certificate, err := tls.X509KeyPair(pair.Cert, pair.Key)
	if err != nil {
		t.Fatal(err)
	}
	counted := &handshakes{Certificates: &static{certificate: certificate}}
	r := run(t, ServerOptions{Options: Options{Admission: Always(Admission{Reviewer: stub{}})}, Certificates: counted})
	eventually(t, func() bool { return r.probe(t, "/readyz") == http.StatusOK })
	before, start := counted.made.Load(), time.Now()
	ready := 0
	for range 1000 {
		if r.probe(t, "/readyz") == http.StatusOK {
			ready++
		}
	}
	most := int64(time.Since(start)/rememberTime) + 1
	if made := counted.made.Load() - before; ready != 1000 || made > most {
		t.Errorf("%d of 1000 probes say it is ready, and took %d handshakes, want at most %d", ready, made, most)
	}
}
