package webhook

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/review"
)

// busy are reviews of the namespace evil that go on until they are released, whatever their context
// says. Those of others end at once.
type busy struct {
	stub
	release chan struct{}
}

func newBusy() busy {
	b := busy{release: make(chan struct{})}
	b.review = func(_ context.Context, s review.Subject) (review.Decision, error) {
		if s.Namespace == "evil" {
			<-b.release
		}
		return review.Decision{}, nil
	}
	return b
}

// decisionOf is how a request ended, as its answer tells it.
func decisionOf(code int, body string) string {
	for _, text := range []string{"no verdict before the deadline", "too many reviews of this namespace at once", "too many reviews at once"} {
		if strings.Contains(body, text) {
			return text
		}
	}
	if code != http.StatusOK {
		return fmt.Sprint(code, " ", strings.TrimSpace(body))
	}
	return "answered"
}

// count adds up how requests ended.
func count(ends <-chan string) map[string]int {
	all := map[string]int{}
	for range cap(ends) {
		all[<-ends]++
	}
	return all
}

// TestOneNamespaceTakesNotAllSlots: eight slow objects once kept all others from being reviewed for minutes. However many
// a namespace sends, and wherever they hang, those of others are reviewed at once, on both paths.
func TestOneNamespaceTakesNotAllSlots(t *testing.T) {
	for _, path := range []string{ValidatePath, MutatePath} {
		t.Run(path, func(t *testing.T) {
			body := pod(t, "healthy.pod.json")
			honest := body.body(t)
			body.namespace = "evil"
			evil := body.body(t)
			synctest.Test(t, func(t *testing.T) {
				slow := newBusy()
				m, registry := newMetrics(t)
				w := newWebhook(t, Options{Admission: Always(Admission{Reviewer: slow}), Recorder: m, MaxConcurrent: 8})
				ends := make(chan string, 40)
				for range cap(ends) {
					go func() {
						got := post(w.at(path), path, evil)
						ends <- decisionOf(got.Code, got.Body.String())
					}()
				}
				synctest.Wait()
				start := time.Now()
				for range 20 {
					for _, at := range []string{ValidatePath, MutatePath} {
						got := post(w.at(at), at, honest)
						if end := decisionOf(got.Code, got.Body.String()); end != "answered" {
							t.Fatalf("an honest request to %s meanwhile: %s", at, end)
						}
					}
				}
				if waited := time.Since(start); waited != 0 { // in a bubble the clock stands still while nobody waits
					t.Errorf("honest requests waited for %s", waited)
				}
				had := map[string]int{ValidatePath: 6, MutatePath: 3}[path]
				want := map[string]int{"no verdict before the deadline": had, "too many reviews of this namespace at once": 40 - had}
				if diff := cmp.Diff(want, count(ends)); diff != "" {
					t.Errorf("the others (-want +got):\n%s", diff)
				}
				counted := fmt.Sprintf(`forestall_admission_requests_total{outcome="namespace-overload",path="%s"} %d`, path, 40-had)
				if scraped := exposition(t, registry); !strings.Contains(scraped, counted) || strings.Contains(scraped, `outcome="overload"`) {
					t.Errorf("no line %s in\n%s", counted, scraped)
				}
				close(slow.release)
				synctest.Wait()
				if w.slots.turns.held()+w.slots.repairs.held() != 0 || len(w.slots.free) != 8 {
					t.Error("slots are held afterwards")
				}
			})
		})
	}
}

// TestOneNamespaceTakesNotAllMemory: the bodies of a namespace that wait take a part of the memory for bodies, so that those of others
// are read.
func TestOneNamespaceTakesNotAllMemory(t *testing.T) {
	for _, test := range []struct {
		name string
		size int
		most int64
	}{{"small", 60_000, DefaultMaxBodyMemory / 4}, {"large", 500_000, DefaultMaxBodyMemory * 3 / 8}} {
		t.Run(test.name, func(t *testing.T) {
			honest := bodyOf(t, test.size)
			evil := strings.Replace(honest, `"shop"`, `"evil"`, 1)
			synctest.Test(t, func(t *testing.T) {
				slow := newBusy()
				w := newWebhook(t, Options{Admission: Always(Admission{Reviewer: slow}), MaxConcurrent: 8})
				ends := make(chan string, 1000)
				for range cap(ends) {
					go func() {
						got := post(w.ValidateHandler(), ValidatePath, evil)
						ends <- decisionOf(got.Code, got.Body.String())
					}()
					synctest.Wait()
				}
				if held := w.bodies.held.Load(); held > test.most || held < test.most*9/10 {
					t.Errorf("%d of %d bytes are held", held, test.most)
				}
				for range 20 {
					got := post(w.ValidateHandler(), ValidatePath, honest)
					if end := decisionOf(got.Code, got.Body.String()); end != "answered" {
						t.Fatalf("an honest request meanwhile: %s", end)
					}
				}
				got := count(ends)
				maps.DeleteFunc(got, func(end string, _ int) bool {
					return end == "no verdict before the deadline" || strings.Contains(end, "of this namespace")
				})
				if len(got) > 0 {
					t.Errorf("the others: %v", got)
				}
				close(slow.release)
				synctest.Wait()
				if held := w.bodies.held.Load(); held != 0 || len(w.bodies.small.held)+len(w.bodies.large.held) > 0 {
					t.Errorf("%d bytes are held afterwards", held)
				}
			})
		})
	}
}

// TestLargeObjectsOfOneNamespace: the largest objects of one namespace, one after the other, keep a large one of another waiting until the
// first has ended, and no longer; one that is only a little large is reviewed beside them.
func TestLargeObjectsOfOneNamespace(t *testing.T) {
	largest := bodyOf(t, 6<<20)
	heaviest := strings.Replace(strings.Replace(largest, `"shop"`, `"evil"`, 1), `"x":"x`, `"x":"`+strings.Repeat("{", 3000), 1)
	synctest.Test(t, func(t *testing.T) {
		ends := stub{review: func(ctx context.Context, s review.Subject) (review.Decision, error) {
			if s.Namespace == "evil" {
				<-ctx.Done()
			}
			return review.Decision{}, nil
		}}
		w := newWebhook(t, Options{Admission: Always(Admission{Reviewer: ends}), MaxConcurrent: 8, MaxBodyMemory: 128 << 20})
		done := make(chan string, 4)
		for range cap(done) { // each goes on until its deadline
			go func() {
				got := post(w.ValidateHandler(), ValidatePath, heaviest)
				done <- decisionOf(got.Code, got.Body.String())
			}()
			time.Sleep(DefaultTimeout / 8)
		}
		for _, honest := range []struct {
			name, body string
			waits      time.Duration
		}{{"a little large", bodyOf(t, 100_000), 0}, {"as large", largest, DefaultTimeout / 2}} {
			start := time.Now()
			got := post(w.ValidateHandler(), ValidatePath, honest.body)
			if end := decisionOf(got.Code, got.Body.String()); end != "answered" || time.Since(start) != honest.waits {
				t.Errorf("%s: %s after %s, want after %s", honest.name, end, time.Since(start), honest.waits)
			}
		}
		count(done)
	})
}
