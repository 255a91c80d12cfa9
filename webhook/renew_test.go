package webhook

import (
	"context"
	"io"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-logr/logr"
)

// TestNoRequestIsLostWhenConnectionsEnd sends requests without a pause over connections that are
// used for a moment only. They all end, some hundred times, and every request is answered.
func TestNoRequestIsLostWhenConnectionsEnd(t *testing.T) {
	for _, proto := range []string{"HTTP/1.1", "HTTP/2.0"} {
		t.Run(proto, func(t *testing.T) {
			r := run(t, ServerOptions{
				Options: Options{Admission: Always(Admission{Reviewer: stub{}})}, connectionAge: 5 * time.Millisecond,
			})
			eventually(t, func() bool { return r.probe(t, "/readyz") == http.StatusOK })
			if transport := r.client.Transport.(*http.Transport); proto == "HTTP/1.1" {
				transport.ForceAttemptHTTP2, transport.TLSClientConfig.NextProtos = false, []string{"http/1.1"}
				transport.MaxIdleConnsPerHost = 25 // an API server's
			}
			var opened atomic.Int64
			ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{GotConn: func(c httptrace.GotConnInfo) {
				if !c.Reused {
					opened.Add(1)
				}
			}})
			ctx, cancel := context.WithTimeout(ctx, time.Minute)
			defer cancel()
			answered, all := atomic.Int64{}, sync.WaitGroup{}
			const senders, closures = 8, 100
			for range senders {
				all.Go(func() {
					for opened.Load() < closures && ctx.Err() == nil && !t.Failed() {
						got, err := r.ask(ctx)
						if err != nil || got != proto+" 200 OK" {
							t.Errorf("%s, %v", got, err)
						}
						answered.Add(1)
					}
				})
			}
			all.Wait()
			t.Logf("%d requests over %d connections", answered.Load(), opened.Load())
			if opened.Load() < closures {
				t.Errorf("only %d connections have ended", opened.Load())
			}
		})
	}
}

// ask sends an admission request, and returns the protocol and the status.
func (r *running) ask(ctx context.Context) (string, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, r.url+ValidatePath, strings.NewReader(create))
	if err != nil {
		return "", err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := r.client.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	_, err = io.Copy(io.Discard, response.Body) // otherwise HTTP/1.1 opens another connection
	return response.Proto + " " + response.Status, err
}

// TestAgesOfConnectionsDiffer: all of a burst do not end at the same moment.
func TestAgesOfConnectionsDiffer(t *testing.T) {
	s := newConnections(nil, 1000, time.Minute, logr.Discard())
	least, most := time.Hour, time.Duration(0)
	for range 1000 {
		age := time.Until(s.add(piped{}).expires)
		least, most = min(least, age), max(most, age)
	}
	if least < 44*time.Second || least > 50*time.Second || most < 70*time.Second || most > 75*time.Second {
		t.Errorf("from %s to %s, want 45s to 75s", least, most)
	}
}
