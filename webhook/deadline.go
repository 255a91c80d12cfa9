package webhook

import (
	"context"
	"net/http"
	"time"
)

// withDeadline returns the context that a request is answered in. It is cut off
// from the request's own: controller-runtime ends that one when the server begins
// to stop, and requests in flight are to be finished.
func (h *handler) withDeadline(r *http.Request) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(r.Context()), timeToAnswer(r, h.Timeout))
}

// timeToAnswer is the time for an answer: at most what the webhook allows itself, and at
// most 80 % of what the API server says it waits, so that our answer at the
// deadline still arrives before the API server gives up.
func timeToAnswer(r *http.Request, most time.Duration) time.Duration {
	waits, err := time.ParseDuration(r.URL.Query().Get("timeout"))
	if err != nil || waits <= 0 {
		return most
	}
	return min(most, waits/5*4)
}
