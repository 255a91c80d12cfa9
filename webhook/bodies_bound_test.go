package webhook

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/review"
)

// bodyOf is a review of a healthy Pod of at least so many bytes.
func bodyOf(t testing.TB, size int) string {
	t.Helper()
	return strings.Replace(pod(t, "healthy.pod.json").body(t), `"metadata":{`, `"metadata":{"x":"`+strings.Repeat("x", size)+`",`, 1)
}

// TestBodiesAreBounded reads bodies until the memory is taken: large ones take three quarters,
// small ones all of it, and all is given back.
func TestBodiesAreBounded(t *testing.T) {
	const mebi = 1 << 20
	bound := newBodies(16*mebi, 1)
	read := func(size int64, promised int64) (*body, error) {
		return bound.read(io.LimitReader(endless{}, size), promised)
	}
	var all []*body
	count := func(size, promised int64) (n int) {
		for {
			b, err := read(size, promised)
			if err != nil {
				if !errors.Is(err, errNoMemory) {
					t.Fatal(err)
				}
				return n
			}
			if int64(len(b.bytes)) != size {
				t.Fatalf("%d bytes of %d", len(b.bytes), size)
			}
			if all = append(all, b); bound.held.Load() > bound.max {
				t.Fatalf("%d bytes are held", bound.held.Load())
			}
			n++
		}
	}
	if got := count(3*mebi, 3*mebi); got != 3 { // 12 MiB, and the room to read their ends
		t.Errorf("%d bodies of 3 MiB in 12 MiB", got)
	}
	if got := count(3*mebi, -1); got != 0 {
		t.Errorf("%d more without a promise", got)
	}
	if got := count(60<<10, 60<<10); got != (16-9)*mebi/(maxSmall+spare) {
		t.Errorf("%d small ones beside them", got)
	}
	for _, b := range all {
		b.release()
		b.release() // nothing is given back twice
	}
	if held := bound.held.Load(); held != 0 {
		t.Errorf("%d bytes are held by nobody", held)
	}
	all = nil
	if got := count(3*mebi, -1); got == 0 {
		t.Error("no body without a promise where there is room")
	}
}

// TestPromisesAreNotPaid: who promises a large body and sends little takes little.
func TestPromisesAreNotPaid(t *testing.T) {
	bound := newBodies(16<<20, 1)
	sent, feed := io.Pipe()
	go feed.Write(make([]byte, 1000)) //nolint:errcheck // a pipe
	done := make(chan error)
	go func() {
		_, err := bound.read(sent, 6<<20)
		done <- err
	}()
	eventually(t, func() bool { return bound.held.Load() > 0 })
	if held := bound.held.Load(); held > maxSmall+spare {
		t.Errorf("%d bytes are held for 1000", held)
	}
	_ = feed.CloseWithError(io.ErrUnexpectedEOF)
	if err := <-done; !errors.Is(err, io.ErrUnexpectedEOF) || bound.held.Load() != 0 {
		t.Errorf("%v, and %d bytes are still held", err, bound.held.Load())
	}
}

// written is a ResponseWriter that looks when the answer is written.
type written struct {
	*httptest.ResponseRecorder
	look func()
}

func (w written) Write(p []byte) (int, error) {
	w.look()
	return w.ResponseRecorder.Write(p)
}

// TestBodiesAreReleasedBeforeTheAnswer because a client that does not read its answer would hold
// them. Whatever the answer is, nothing is held when it is written.
func TestBodiesAreReleasedBeforeTheAnswer(t *testing.T) {
	panics := stub{review: func(context.Context, review.Subject) (review.Decision, error) { panic("a bug") }}
	for name, test := range map[string]struct {
		reviewer Reviewer
		body     string
		want     Outcome
	}{
		"small":     {realReviewer(t, review.Settings{}), bodyOf(t, 0), OutcomeAllow},
		"large":     {realReviewer(t, review.Settings{}), bodyOf(t, 1<<20), OutcomeAllow},
		"panicked":  {panics, bodyOf(t, 1<<20), OutcomePanic},
		"skipped":   {stub{}, strings.Replace(bodyOf(t, 1<<20), "CREATE", "DELETE", 1), OutcomeSkip},
		"malformed": {stub{}, strings.Replace(bodyOf(t, 1<<20), `"admission.k8s.io/v1"`, `"v2"`, 1), OutcomeMalformed},
		"no review": {stub{}, strings.Repeat(" ", 1<<20), ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWebhook(t, Options{Admission: Always(Admission{Reviewer: test.reviewer})})
			r, recorder := newRequest(ValidatePath, test.body)
			looked := 0
			w.ValidateHandler().ServeHTTP(written{recorder, func() {
				looked++
				if held := w.bodies.held.Load(); held != 0 {
					t.Errorf("%d bytes are held", held)
				}
				for _, turns := range []*queue{w.bodies.heavy, w.bodies.light} {
					if held := turns.held(); held != 0 {
						t.Errorf("turns of %d bytes are held", held)
					}
				}
				if small, large := w.bodies.small.held, w.bodies.large.held; len(small)+len(large) != 0 {
					t.Errorf("the namespaces hold %v and %v", small, large)
				}
			}}, r)
			if looked != 1 || test.want != "" && !strings.Contains(recorder.Body.String(), `"decision":"`+string(test.want)+`"`) {
				t.Errorf("%d answers: %.300s", looked, recorder.Body)
			}
		})
	}
}

// TestLargeObjectsTakeTurns: no more of them are reviewed at once than their bound, small ones go
// past them, and one that has no turn before the deadline is refused.
func TestLargeObjectsTakeTurns(t *testing.T) {
	large, small := bodyOf(t, 3<<20), bodyOf(t, 0)
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		s := stub{review: func(_ context.Context, s review.Subject) (review.Decision, error) {
			if len(s.Object) > maxSmall {
				<-release
			}
			return review.Decision{}, nil
		}}
		m, registry := newMetrics(t)
		w := newWebhook(t, Options{Admission: Always(Admission{Reviewer: s}), Recorder: m, MaxConcurrent: 8})
		answers := make(chan string, 3)
		for range 3 {
			go func() {
				got := post(w.ValidateHandler(), ValidatePath, large)
				answers <- fmt.Sprint(got.Code, " ", strings.TrimSpace(got.Body.String()))
			}()
		}
		synctest.Wait()
		if got := post(w.ValidateHandler(), ValidatePath, small).Body.String(); !strings.Contains(got, `"decision":"allow"`) {
			t.Errorf("a small one meanwhile: %s", got)
		}
		got := map[string]int{}
		for range 3 {
			answer := <-answers
			if _, decision, ok := strings.Cut(answer, `"decision":`); ok {
				answer = decision[:len(`"timeout"`)]
			}
			got[answer]++
		}
		want := map[string]int{`"timeout"`: 2, "503 forestall: the large objects of other requests of this namespace were not reviewed before the deadline": 1}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("answers (-want +got):\n%s", diff)
		}
		const counted = `forestall_admission_requests_total{outcome="namespace-overload",path="/validate"} 1`
		if scraped := exposition(t, registry); !strings.Contains(scraped, counted) {
			t.Errorf("no line %s in\n%s", counted, scraped)
		}
		if held := w.bodies.held.Load(); held < 6<<20 {
			t.Errorf("%d bytes are held while two reviews go on", held)
		}
		close(release)
		synctest.Wait()
		if held := w.bodies.held.Load(); held != 0 {
			t.Errorf("%d bytes are held afterwards", held)
		}
	})
}

// TestRefusedBodies refuses large bodies on one connection of a real server, and answers the
// small ones between them on the same. Nobody reads what is refused: net/http must give the
// window of the connection back, or in HTTP/1.1 deliver the answer all the same.
func TestRefusedBodies(t *testing.T) {
	for _, proto := range []string{"HTTP/2.0", "HTTP/1.1"} {
		t.Run(proto, func(t *testing.T) {
			entered, release := make(chan struct{}), make(chan struct{})
			s := stub{review: func(_ context.Context, s review.Subject) (review.Decision, error) {
				if len(s.Object) > maxSmall {
					close(entered)
					<-release
				}
				return review.Decision{}, nil
			}}
			r := run(t, ServerOptions{Options: Options{
				Admission: Always(Admission{Reviewer: s}), MaxBodyMemory: MinMaxBodyMemory, Timeout: time.Minute,
			}})
			transport := r.client.Transport.(*http.Transport)
			if proto == "HTTP/1.1" {
				transport.ForceAttemptHTTP2, transport.TLSClientConfig.NextProtos = false, []string{"http/1.1"}
			}
			eventually(t, func() bool { return r.probe(t, "/readyz") == http.StatusOK })
			send := func(body string) string {
				response, err := r.client.Post(r.url+ValidatePath, "application/json", bytes.NewReader([]byte(body)))
				if err != nil {
					return err.Error()
				}
				defer response.Body.Close()
				text, err := io.ReadAll(response.Body)
				return fmt.Sprint(response.Proto, " ", response.StatusCode, " ", string(text), err)
			}
			held := make(chan string)
			go func() { held <- send(bodyOf(t, 6<<20)) }() // all that large ones may have
			<-entered
			large := bodyOf(t, 6<<20)
			for range 30 {
				const want = " 503 forestall: the bodies of other requests fill the memory for bodies\n<nil>"
				if got := send(large); got != proto+want {
					t.Fatalf("a large body: %.300s", got)
				}
				if got := send(create); !strings.Contains(got, `"decision":"allow"`) {
					t.Fatalf("a small body: %.300s", got)
				}
			}
			close(release)
			if got := <-held; !strings.Contains(got, `"decision":"allow"`) {
				t.Errorf("the first large body: %.300s", got)
			}
		})
	}
}
