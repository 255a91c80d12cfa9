package audit

import (
	"context"
	"fmt"
	"iter"
	"runtime"
	"sync"
	"sync/atomic"
)

const (
	// tokens bounds the items that are on their way. Each item takes one token, and another one
	// for each tokenSize of its bytes.
	tokens    = 64
	tokenSize = 256 << 10
)

// pipeline works on several items of a source at once, and hands on the results in the order of
// the source.
type pipeline[In, Out any] struct {
	source iter.Seq2[In, error]
	// size is about how many bytes an item takes.
	size func(In) int
	work func(context.Context, In) Out
	// then takes the results. It is called by the goroutine that runs the pipeline.
	then func(Out) error
}

// job is an item on its way.
type job[In, Out any] struct {
	in     In
	tokens int
	out    chan Out
}

// run returns when everything is done, or with the first error: of the source, of then, or of the
// context. It leaves no goroutine behind, unless the source never returns.
func (p pipeline[In, Out]) run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	workers := runtime.GOMAXPROCS(0)
	free := make(chan struct{}, max(tokens, 4*workers))
	todo := make(chan *job[In, Out])
	order := make(chan *job[In, Out], cap(free))
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()
	var failed error // read when order is closed
	running.Go(func() {
		defer close(order)
		defer close(todo)
		failed = p.feed(ctx, free, todo, order)
	})
	for range workers {
		running.Go(func() {
			for j := range todo {
				j.out <- p.work(ctx, j.in)
			}
		})
	}
	for j := range order {
		select {
		case out := <-j.out:
			if err := ctx.Err(); err != nil {
				return err // the work may have been cut short
			}
			if err := p.then(out); err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
		for range j.tokens {
			<-free
		}
	}
	return failed
}

// feed makes jobs of the source, as far as there are tokens for them.
func (p pipeline[In, Out]) feed(ctx context.Context, free chan<- struct{}, todo, order chan<- *job[In, Out]) error {
	for in, err := range p.source {
		if err != nil {
			return err
		}
		j := &job[In, Out]{in: in, out: make(chan Out, 1), tokens: min(1+p.size(in)/tokenSize, cap(free))}
		for range j.tokens {
			select {
			case free <- struct{}{}:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		order <- j // has room for as many as there are tokens
		select {
		case todo <- j:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return ctx.Err()
}

// each calls work for 0 to n-1, several at once, until all are done or the context ends.
func each(ctx context.Context, n int, work func(i int)) {
	if n == 1 {
		work(0)
		return
	}
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		workers.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				work(i)
			}
		})
	}
	workers.Wait()
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
