package webhook

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/forestall/forestall/internal/review"
)

// TestBodiesAreNotShared: a review that goes on sees its own object, whatever has come in
// meanwhile.
func TestBodiesAreNotShared(t *testing.T) {
	first, last := make(chan struct{}), make(chan struct{})
	var began atomic.Bool
	var before, after string
	s := stub{review: func(_ context.Context, s review.Subject) (review.Decision, error) {
		if began.CompareAndSwap(false, true) {
			before = string(s.Object)
			close(first)
			<-last
			after = string(s.Object)
		}
		return review.Decision{}, nil
	}}
	handler := newWebhook(t, Options{Admission: Always(Admission{Reviewer: s})}).ValidateHandler()
	body := pod(t, "healthy.pod.json").body(t)
	var slow sync.WaitGroup
	slow.Go(func() { post(handler, ValidatePath, body) })
	<-first
	for range 20 {
		post(handler, ValidatePath, strings.ReplaceAll(body, "web", "bew"))
	}
	close(last)
	slow.Wait()
	if before != after || !strings.Contains(after, `"name":"web"`) && !strings.Contains(after, `"name": "web"`) {
		t.Errorf("the object was %.200s\nand became %.200s", before, after)
	}
}
