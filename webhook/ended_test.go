package webhook

import (
	"context"
	"errors"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/forestall/forestall/internal/builtin"
	"github.com/forestall/forestall/internal/review"
)

// recorded is a Reviewer that keeps how reviews ended.
type recorded struct {
	Reviewer
	ends chan error
}

func (r recorded) Review(ctx context.Context, s review.Subject) (review.Decision, error) {
	d, err := r.Reviewer.Review(ctx, s)
	r.ends <- err
	return d, err
}

// TestEndedReviewsLeaveTheirSlots: soon after the deadline of the client nothing is held any more by the review of
// the slowest object, which would take seconds. The real Reviewer, without a bound on steps, looks at its context.
func TestEndedReviewsLeaveTheirSlots(t *testing.T) {
	engine, err := builtin.Engine(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	r, err := review.New(review.Options{Engine: engine, Steps: math.MaxInt64})
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for i := range 2000 {
		list = append(list, strings.ReplaceAll(`{"name":"c%d","image":"Web%d","command":["sleep %d"],"ports":[{"containerPort":1%d,"name":"p%d"}],`+
			`"readinessProbe":{"httpGet":{"port":"q%d"}},"livenessProbe":{"tcpSocket":{"port":3%d}}}`, "%d", strconv.Itoa(i)))
	}
	object := `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web"},"spec":{"containers":[` + strings.Join(list, ",") + `]}}`
	body := reviewed{resource: "pods", kind: "Pod", operation: "CREATE", object: object}.body(t)
	for _, path := range []string{ValidatePath, MutatePath} {
		slow := recorded{r, make(chan error, 1)}
		w := newWebhook(t, Options{Admission: Always(Admission{Reviewer: slow}), MaxConcurrent: 2})
		if got := post(w.at(path), path+"?timeout=500ms", body).Body.String(); !strings.Contains(got, "no verdict before the deadline") {
			t.Fatalf("%s: it is not slow: %.300s", path, got)
		}
		eventually(t, func() bool {
			return len(w.slots.free) == 2 && w.slots.repairs.held() == 0 && w.slots.turns.held() == 0 && w.bodies.held.Load() == 0
		})
		if err := <-slow.ends; !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: the review went on to its end: %v", path, err)
		}
	}
}
