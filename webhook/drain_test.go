package webhook

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"strings"
	"testing"
	"time"

	"github.com/forestall/forestall/internal/review"
)

// SIGTERM: not ready at once, still serving for the delay, then no new connections,
// and what is in flight is answered.
func TestDrain(t *testing.T) {
	entered, release := make(chan struct{}), make(chan struct{})
	blocking := stub{review: func(ctx context.Context, _ review.Subject) (review.Decision, error) {
		entered <- struct{}{}
		<-release
		return review.Decision{}, ctx.Err()
	}}
	r := run(t, ServerOptions{Options: Options{Admission: Always(Admission{Reviewer: blocking}), Timeout: time.Minute}, ShutdownDelay: time.Second})
	eventually(t, func() bool { return r.probe(t, "/readyz") == http.StatusOK })
	answered := make(chan string, 2)
	ask := func() {
		body, err := r.review()
		answered <- fmt.Sprint(body, err)
	}
	go ask()
	<-entered

	r.stop()
	eventually(t, func() bool { return r.probe(t, "/readyz") == http.StatusInternalServerError })
	go ask() // somebody who has not heard of it yet
	<-entered
	eventually(t, func() bool {
		c, err := net.Dial("tcp", strings.TrimPrefix(r.url, "https://"))
		if err == nil {
			_ = c.Close()
		}
		return err != nil
	})
	if got := r.probe(t, "/readyz"); got != http.StatusInternalServerError {
		t.Errorf("/readyz = %d while the last requests are answered, want 500", got)
	}
	close(release)
	for range 2 {
		if got := <-answered; got != admitted+"<nil>" {
			t.Errorf("a request in flight was answered with %s", got)
		}
	}
	if err := <-r.ended; err != nil {
		t.Errorf("Run() = %v", err)
	}
}

// While draining, answers end their connection, so that the API server looks for another
// replica. In HTTP/1.1 the header says so; HTTP/2, which is tried here, has a frame for it.
func TestDrainingAnswersCloseTheConnection(t *testing.T) {
	d := &drain{delay: time.Hour}
	server := httptest.NewUnstartedServer(d.wrap(newWebhook(t, Options{Admission: Always(Admission{Reviewer: stub{}})}).ValidateHandler()))
	server.EnableHTTP2 = true
	server.StartTLS()
	defer server.Close()
	reused := func() bool {
		t.Helper()
		was := false
		ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{GotConn: func(c httptrace.GotConnInfo) { was = c.Reused }})
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, server.URL+ValidatePath, strings.NewReader(create))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		response, err := server.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		if body, err := io.ReadAll(response.Body); err != nil || string(body) != admitted || response.ProtoMajor != 2 {
			t.Errorf("%s: %s, %v", response.Proto, body, err)
		}
		_ = response.Body.Close()
		return was
	}
	reused()
	if !reused() {
		t.Error("before: the second request has a connection of its own")
	}
	ctx, cancel := context.WithCancel(t.Context())
	serving, stop := d.after(ctx)
	defer stop()
	cancel()
	eventually(t, func() bool { return d.check(nil) != nil })
	eventually(t, func() bool { return !reused() })
	if serving.Err() != nil {
		t.Error("the server stops before the delay has passed")
	}
}
