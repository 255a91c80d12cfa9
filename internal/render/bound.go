package render

import (
	"context"
	"errors"
	"fmt"
	"runtime/metrics"
	"time"
)

// ErrTooMuch says that a rendering took too long, or too much memory. It may still do: the caller is to end.
var ErrTooMuch = errors.New("given up")

// How long a rendering may take, how much the memory of the process may grow meanwhile, and how often that is looked at.
const (
	maxTime   = 2 * time.Minute
	maxMemory = 2 << 30
	tick      = 20 * time.Millisecond
)

// Bounded runs a rendering, and gives up waiting for it when the context ends or it takes too much (ErrTooMuch). Neither templates
// nor kustomizations can be interrupted, so that it goes on until the process ends.
func Bounded(ctx context.Context, rendering func()) error {
	return limits{time: maxTime, memory: maxMemory}.run(ctx, rendering)
}

type limits struct {
	time   time.Duration
	memory uint64
}

func (l limits) run(ctx context.Context, rendering func()) error {
	done := make(chan struct{})
	before := heap()
	go func() {
		defer close(done)
		rendering()
	}()
	out := time.NewTimer(l.time)
	defer out.Stop()
	look := time.NewTicker(tick)
	defer look.Stop()
	for {
		select {
		case <-done:
			return ctx.Err()
		case <-ctx.Done():
			return ctx.Err()
		case <-out.C:
			return fmt.Errorf("%w: it takes longer than %v", ErrTooMuch, l.time)
		case <-look.C:
			if heap() > before+l.memory {
				return fmt.Errorf("%w: it takes more than %d MiB of memory", ErrTooMuch, l.memory>>20)
			}
		}
	}
}

// heap returns how many bytes of memory objects take.
func heap() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return sample[0].Value.Uint64()
}
