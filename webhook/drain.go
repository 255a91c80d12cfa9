package webhook

import (
	"context"
	"errors"
	"net/http"
	"sync/atomic"
	"time"
)

// errDraining is why a server that is about to stop is not ready.
var errDraining = errors.New("the server is about to stop")

// drain leads a server out of service: first nobody new is sent here, then those
// who still come are answered, then the server stops.
type drain struct {
	delay   time.Duration
	started atomic.Bool
}

// check is a readiness check.
func (d *drain) check(*http.Request) error {
	if d.started.Load() {
		return errDraining
	}
	return nil
}

// after returns a context that ends when ctx has ended and the delay has passed, or
// when it is cancelled.
func (d *drain) after(ctx context.Context) (context.Context, context.CancelFunc) {
	serving, stop := context.WithCancel(context.WithoutCancel(ctx))
	unwatch := context.AfterFunc(ctx, func() {
		d.started.Store(true)
		select {
		case <-time.After(d.delay):
			stop()
		case <-serving.Done():
		}
	})
	return serving, func() {
		unwatch()
		stop()
	}
}

// wrap makes the last answers on a connection close it. The API server keeps its
// connections; it would go on to use those to a replica that is leaving.
func (d *drain) wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if d.started.Load() {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
}
