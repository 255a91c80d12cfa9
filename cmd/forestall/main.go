// Command forestall predicts which Kubernetes pods would fail, and says why.
package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), interrupts()...)
	context.AfterFunc(ctx, stop) // the second Ctrl-C is not caught
	name, args := calledAs(os.Args)
	code := run(ctx, args, streams{in: os.Stdin, out: os.Stdout, err: os.Stderr, name: name})
	stop()
	os.Exit(code)
}

// interrupts are the signals that end a command early.
func interrupts() []os.Signal {
	all := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // as nohup wants it
		all = append(all, syscall.SIGHUP)
	}
	return all
}

// grace is how long an interrupted command may take to end by itself.
const grace = 300 * time.Millisecond

// run carries out one command and returns the exit code.
func run(ctx context.Context, args []string, s streams) int {
	s.changing = &sync.Mutex{}
	root := newRoot(s)
	root.SetArgs(args)
	return s.await(ctx, root.ExecuteContext)
}

// await returns the exit code of a command. One that does not end when it is interrupted, because
// it waits for input or converts a large document, is left behind, but not while it changes a file.
func (s streams) await(ctx context.Context, command func(context.Context) error) int {
	done := make(chan error, 1)
	go func() { done <- command(ctx) }()
	select {
	case err := <-done:
		return s.conclude(err)
	case <-ctx.Done():
	}
	err := late(done)
	if errors.Is(err, errLate) && s.changing != nil && !s.changing.TryLock() { // it is kept: no other change begins
		s.changing.Lock()
		err = late(done)
	}
	if err == nil || errors.Is(err, errFound) || errors.As(err, new(partialError)) { // it was all but done
		return s.conclude(err)
	}
	return s.conclude(errInterrupted)
}

var errLate = errors.New("it has not ended")

// late waits a moment for the end of a command that was interrupted.
func late(done <-chan error) error {
	select {
	case err := <-done:
		return err
	case <-time.After(grace):
		return errLate
	}
}
