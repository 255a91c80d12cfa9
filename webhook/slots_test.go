package webhook

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/forestall/forestall/internal/review"
)

// TestSlotsAreKeptForValidation: however many repairs go on, /validate finds a slot, and /mutate
// is told at its deadline that there is none for it.
func TestSlotsAreKeptForValidation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		slow := stub{
			review: func(context.Context, review.Subject) (review.Decision, error) { return review.Decision{}, nil },
			repair: func(context.Context, review.Decision) (review.Repaired, error) {
				<-release
				return review.Repaired{}, nil
			},
		}
		w := newWebhook(t, Options{Admission: Always(Admission{Reviewer: slow}), MaxConcurrent: 5})
		answers := make(chan string, 20)
		for i := range 20 {
			body := strings.Replace(create, `"shop"`, fmt.Sprintf(`"shop-%d"`, i%4), 1)
			go func() { answers <- post(w.MutateHandler(), MutatePath, body).Body.String() }()
		}
		synctest.Wait()
		if got := len(w.slots.free); got != 3 {
			t.Errorf("%d of 5 slots are free, want 3", got)
		}
		if got := post(w.ValidateHandler(), ValidatePath, create).Body.String(); !strings.Contains(got, `"decision":"allow"`) {
			t.Errorf("/validate: %s", got)
		}
		late, busy := 0, 0
		for range 20 {
			switch got := <-answers; {
			case strings.Contains(got, "no verdict before the deadline"):
				late++
			case strings.Contains(got, "too many reviews at once"):
				busy++
			}
		}
		if late != 2 || busy != 18 {
			t.Errorf("%d repairs had a slot and %d had none, want 2 and 18", late, busy)
		}
		close(release)
		synctest.Wait()
		if got := post(w.MutateHandler(), MutatePath, create).Body.String(); !strings.Contains(got, `"allowed":true}`) {
			t.Errorf("afterwards: %s", got)
		}
	})
}

// TestOneSlotServesBoth: with a single one there is none to keep.
func TestOneSlotServesBoth(t *testing.T) {
	w := newWebhook(t, Options{Admission: Always(Admission{Reviewer: stub{}}), MaxConcurrent: 1})
	for _, path := range []string{MutatePath, ValidatePath, MutatePath} {
		if got := post(w.at(path), path, create).Body.String(); strings.Contains(got, "too many") {
			t.Errorf("%s: %s", path, got)
		}
	}
}

// TestHangingReviewsEndTheProcess: a review that goes on a minute after its deadline fails the
// liveness check until it ends, whatever other slots are free.
func TestHangingReviewsEndTheProcess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		hanging := stub{review: func(context.Context, review.Subject) (review.Decision, error) {
			<-release
			return review.Decision{}, nil
		}}
		w := newWebhook(t, Options{Admission: Always(Admission{Reviewer: hanging}), MaxConcurrent: 8})
		post(w.ValidateHandler(), ValidatePath+"?timeout=5s", create) // until its deadline
		time.Sleep(defaultOverdue)
		if err := w.Live(); err != nil {
			t.Errorf("a minute after the deadline: %v", err)
		}
		time.Sleep(time.Second)
		if err := w.Live(); err == nil || err.Error() != "a review goes on 1m1s after its deadline" {
			t.Errorf("a second later: %v", err)
		}
		close(release)
		synctest.Wait()
		if err := w.Live(); err != nil {
			t.Errorf("after its end: %v", err)
		}
		time.Sleep(time.Hour)
		if err := w.Live(); err != nil {
			t.Errorf("with nothing to do: %v", err)
		}
	})
}

// TestLivenessFailsWhenAReviewHangs asks a whole server, with a shorter bound.
func TestLivenessFailsWhenAReviewHangs(t *testing.T) {
	release := make(chan struct{})
	hanging := stub{review: func(context.Context, review.Subject) (review.Decision, error) {
		<-release
		return review.Decision{}, nil
	}}
	r := run(t, ServerOptions{Options: Options{
		Admission: Always(Admission{Reviewer: hanging}), Timeout: 10 * time.Millisecond, overdue: 10 * time.Millisecond,
	}})
	eventually(t, func() bool { return r.probe(t, "/readyz") == http.StatusOK })
	if body, err := r.review(); err != nil || !strings.Contains(body, `"decision":"timeout"`) {
		t.Errorf("%s, %v", body, err)
	}
	eventually(t, func() bool { return r.probe(t, "/healthz") == http.StatusInternalServerError })
	close(release)
	eventually(t, func() bool { return r.probe(t, "/healthz") == http.StatusOK })
}
