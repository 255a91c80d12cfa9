package webhook

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/forestall/forestall/internal/review"
)

func TestBudget(t *testing.T) {
	for _, test := range []struct {
		query string
		most  time.Duration
		want  time.Duration
	}{
		{"", 0, DefaultTimeout},
		{"?timeout=5s", 0, 4 * time.Second},
		{"?timeout=2s", 0, 1600 * time.Millisecond},
		{"?timeout=30s", 0, DefaultTimeout},
		{"?timeout=30s", 20 * time.Second, 20 * time.Second},
		{"?timeout=soon", 0, DefaultTimeout},
		{"?timeout=-1s", 0, DefaultTimeout},
		{"?timeout=0", 0, DefaultTimeout},
		{"?timeout=2562047h", 0, DefaultTimeout},
	} {
		t.Run(test.query, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				blocked := stub{review: func(ctx context.Context, _ review.Subject) (review.Decision, error) {
					<-ctx.Done()
					return review.Decision{}, nil
				}}
				post(newWebhook(t, Options{Admission: Always(Admission{Reviewer: blocked}), Timeout: test.most}).ValidateHandler(), ValidatePath+test.query, create)
				if got := time.Since(start); got != test.want {
					t.Errorf("answered after %s, want %s", got, test.want)
				}
			})
		})
	}
}

// A Reviewer that does not heed its context delays no answer, but keeps its slot.
func TestStuckReviewKeepsItsSlot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		stuck := stub{review: func(context.Context, review.Subject) (review.Decision, error) {
			<-release
			return review.Decision{}, nil
		}}
		w := newWebhook(t, Options{Admission: Always(Admission{Reviewer: stuck}), MaxConcurrent: 1})
		start := time.Now()
		for _, want := range []Outcome{OutcomeTimeout, OutcomeOverload} {
			got := post(w.ValidateHandler(), ValidatePath+"?timeout=1s", create).Body.String()
			if !strings.Contains(got, `"decision":"`+string(want)+`"`) {
				t.Errorf("body = %s, want decision %s", got, want)
			}
		}
		if got := time.Since(start); got != 1600*time.Millisecond {
			t.Errorf("two answers took %s, want 1.6s", got)
		}
		close(release)
		synctest.Wait()
		if got := post(w.ValidateHandler(), ValidatePath, create).Body.String(); !strings.Contains(got, `"decision":"allow"`) {
			t.Errorf("after the release: body = %s, want decision allow", got)
		}
	})
}

// Both paths share the slots, and no more reviews run than there are.
func TestConcurrencyIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var running, most atomic.Int32
		counting := stub{review: func(context.Context, review.Subject) (review.Decision, error) {
			now := running.Add(1)
			defer running.Add(-1)
			for m := most.Load(); now > m && !most.CompareAndSwap(m, now); m = most.Load() {
			}
			time.Sleep(time.Millisecond)
			return review.Decision{}, nil
		}}
		w := newWebhook(t, Options{Admission: Always(Admission{Reviewer: counting}), MaxConcurrent: 3})
		for i := range 20 {
			path := []string{ValidatePath, MutatePath}[i%2]
			go post(w.at(path), path, strings.Replace(create, `"shop"`, fmt.Sprintf(`"shop-%d"`, i), 1))
		}
		time.Sleep(time.Second)
		if got := most.Load(); got != 3 {
			t.Errorf("%d reviews ran at once, want 3", got)
		}
	})
}

// The end of the request's own context, which is the stop of the server, does not
// reach the review.
func TestReviewOutlivesTheRequestContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	heeding := stub{review: func(ctx context.Context, _ review.Subject) (review.Decision, error) {
		return review.Decision{}, ctx.Err()
	}}
	r, w := newRequest(ValidatePath, create)
	newWebhook(t, Options{Admission: Always(Admission{Reviewer: heeding})}).ValidateHandler().ServeHTTP(w, r.WithContext(ctx))
	if got := w.Body.String(); !strings.Contains(got, `"decision":"allow"`) {
		t.Errorf("body = %s, want decision allow", got)
	}
}
