package main

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"
)

// pause is between two Pods of the honest user.
const pause = 25 * time.Millisecond

// record is what became of the Pods that an honest user sent meanwhile. All of them fail.
type record struct {
	mu     sync.Mutex
	denied int
	// missed says what the API server did with those that were not denied.
	missed []string
	took   []time.Duration
}

// work sends Pods over two connections until ctx ends, no two of them alike.
func (r *record) work(ctx context.Context, u user) {
	var all sync.WaitGroup
	for worker := range 2 {
		all.Go(func() {
			for i := 0; ctx.Err() == nil; i++ {
				r.send(ctx, u, fmt.Sprintf("honest-%d-%d-%d", worker, i, time.Now().UnixNano()))
				time.Sleep(pause)
			}
		})
	}
	all.Wait()
}

func (r *record) send(ctx context.Context, u user, name string) {
	// What was sent is waited for, also past the end of the flood.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
	defer cancel()
	start := time.Now()
	o, err := u.create(ctx, pod(name, fmt.Sprintf(`{name: web, image: "web:1", command: ["sleep %d"], resources: {limits: {memory: 64Mi}}}`, start.UnixNano())))
	took := time.Since(start)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.took = append(r.took, took)
	switch {
	case isDenied(err):
		r.denied++
	case err != nil:
		r.missed = append(r.missed, err.Error())
	default:
		r.missed = append(r.missed, fmt.Sprintf("admitted after %s", took.Round(time.Millisecond)))
		_ = u.Delete(ctx, o, client.GracePeriodSeconds(0)) // it would be in nobody's way
	}
}

// quantile is the time within which this share of the answers came.
func (r *record) quantile(share float64) time.Duration {
	if len(r.took) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(r.took))
	return sorted[min(len(sorted)-1, int(share*float64(len(sorted))))]
}
