// Command forestall-webhook is forestall in the cluster: the admission webhook that
// refuses and repairs pods which would fail, and says why.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// The exit codes.
const (
	exitOK     = 0
	exitFailed = 1 // it could not start, or stopped by itself
	exitUsage  = 2 // the flags or the configuration are wrong
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // the second signal ends the process at once
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	cmd := newCommand()
	cmd.SetArgs(args)
	cmd.SetOut(stdout)
	cmd.SetErr(stderr)
	err := cmd.ExecuteContext(ctx)
	failed := &serveError{}
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &failed):
		fmt.Fprintf(stderr, "forestall-webhook: %v\n", err)
		return exitFailed
	default:
		fmt.Fprintf(stderr, "forestall-webhook: %v\nSee forestall-webhook --help.\n", err)
		return exitUsage
	}
}
