package audit

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
)

// Progress is told how far a stage is, often and from several goroutines.
type Progress func(stage Stage, done, total int)

// Stage is a part of an audit and what is counted in it.
type Stage string

// The stages of an audit, in order.
const (
	Reading   Stage = "reading files"
	Parsing   Stage = "parsing documents"
	Reviewing Stage = "reviewing objects"
	Locating  Stage = "locating findings"
	Repairing Stage = "repairing documents"
)

func (p Progress) report(s Stage, done, total int) {
	if p != nil {
		p(s, done, total)
	}
}

// stage calls work for 0 to n-1, on as many goroutines as may run at once, and
// returns when all calls are done or the context ends. Results go into slices by
// index, so that nothing depends on who is first.
func (p Progress) stage(ctx context.Context, s Stage, n int, work func(i int)) error {
	var next, done atomic.Int64
	var workers sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		workers.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				work(i)
				p.report(s, int(done.Add(1)), n)
			}
		})
	}
	workers.Wait()
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("%s: %w", s, err)
	}
	return nil
}

// guarded calls f and turns a panic into an error, so that one object that trips
// over a bug costs that object and not the audit.
func guarded(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("this is a bug in forestall, please report it: panic: %v", p)
		}
	}()
	return f()
}
