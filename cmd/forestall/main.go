// Command forestall predicts which Kubernetes pods would fail, and says why.
package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // the second Ctrl-C is not caught
	code := run(ctx, os.Args[1:], streams{in: os.Stdin, out: os.Stdout, err: os.Stderr})
	stop()
	os.Exit(code)
}

// grace is how long an interrupted command may take to end by itself.
const grace = 300 * time.Millisecond

// run carries out one command and returns the exit code. A command that does not
// end when it is interrupted, because it waits for input or converts a large
// document, is left behind.
func run(ctx context.Context, args []string, s streams) int {
	done := make(chan error, 1)
	go func() {
		root := newRoot(s)
		root.SetArgs(args)
		done <- root.ExecuteContext(ctx)
	}()
	select {
	case err := <-done:
		return s.conclude(err)
	case <-ctx.Done():
	}
	select {
	case err := <-done:
		if err == nil || errors.Is(err, errFound) || errors.As(err, new(partialError)) { // it was all but done
			return s.conclude(err)
		}
	case <-time.After(grace):
	}
	return s.conclude(errInterrupted)
}
