package webhook

import (
	"context"
	"net/http"
	"runtime"
	"testing"
	"time"

	"golang.org/x/net/http2"

	"github.com/forestall/forestall/internal/review"
	"github.com/forestall/forestall/test/attack/wire"
)

// TestRapidReset opens streams and gives them up at once, some thousands of times over several
// connections (CVE-2023-44487). The work of them is bounded by the streams that a connection
// may have, an honest client is answered, and a connection that goes on is ended.
func TestRapidReset(t *testing.T) {
	const connections, resets = 8, 5000
	for name, post := range map[string]func(*wire.HTTP2) error{
		"without a body": func(c *wire.HTTP2) error {
			stream, err := c.Open(ValidatePath, 1000)
			if err != nil {
				return err
			}
			return c.Reset(stream)
		},
		"with a whole one": func(c *wire.HTTP2) error {
			stream, err := c.Send(ValidatePath, []byte(create))
			if err != nil {
				return err
			}
			return c.Reset(stream)
		},
	} {
		t.Run(name, func(t *testing.T) {
			slow := stub{review: func(ctx context.Context, _ review.Subject) (review.Decision, error) {
				time.Sleep(time.Millisecond)
				return review.Decision{}, ctx.Err()
			}}
			r := run(t, ServerOptions{Options: Options{Admission: Always(Admission{Reviewer: slow}), Timeout: time.Minute}})
			eventually(t, func() bool { return r.probe(t, "/readyz") == http.StatusOK })
			if body, err := r.review(); err != nil || body != admitted {
				t.Fatalf("before: %s, %v", body, err)
			}
			before, most, over := runtime.NumGoroutine(), 0, make(chan int, connections)
			for range connections {
				c := dial2(t, r, 0)
				go func() {
					sent := 0
					for sent < resets && post(c) == nil {
						sent++
					}
					over <- sent
				}()
			}
			total, asked := 0, 0
			for running := connections; running > 0; asked++ {
				if body, err := r.review(); err != nil || body != admitted {
					t.Errorf("an honest client gets %s, %v", body, err)
				}
				most = max(most, runtime.NumGoroutine()-before)
				select {
				case sent := <-over:
					running--
					total += sent
				default:
				}
			}
			t.Logf("%d resets, at most %d goroutines more, %d honest answers", total, most, asked)
			// Two for each stream: its handler and the review; some for each connection, ours too.
			if limit := connections * (2*maxStreams + 8); most > limit {
				t.Errorf("%d goroutines more, want at most %d", most, limit)
			}
			eventually(t, func() bool { return runtime.NumGoroutine() <= before+3*connections+8 })
		})
	}
}

// TestResetsThatPileUp: while the handlers of a connection are busy, streams that are opened and
// given up may not wait in any number.
func TestResetsThatPileUp(t *testing.T) {
	release := make(chan struct{})
	busy := stub{review: func(context.Context, review.Subject) (review.Decision, error) {
		<-release
		return review.Decision{}, nil
	}}
	r := run(t, ServerOptions{Options: Options{Admission: Always(Admission{Reviewer: busy}), Timeout: time.Minute}})
	defer close(release)
	eventually(t, func() bool { return r.probe(t, "/readyz") == http.StatusOK })
	c := dial2(t, r, 0)
	for range 6 * maxStreams {
		stream, err := c.Send(ValidatePath, []byte(create))
		if err != nil {
			break
		}
		_ = c.Reset(stream) // the connection may be at its end
	}
	eventually(t, func() bool { return c.Seen().Ended })
	if s := c.Seen(); s.GoAway == nil || *s.GoAway != http2.ErrCodeEnhanceYourCalm {
		t.Errorf("the server has sent %+v, want it to end the connection with ENHANCE_YOUR_CALM", s)
	}
}
