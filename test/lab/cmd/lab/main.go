// Command lab runs a real Kubernetes on this machine, and proves in it that the
// pods that forestall's rules warn of really fail.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/go-logr/logr"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

// exitInterrupted is the exit code of a command that Ctrl-C ended.
const exitInterrupted = 130

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	log.SetLogger(logr.Discard()) // controller-runtime complains where none is set
	err := command(os.Stdout).ExecuteContext(ctx)
	interrupted := ctx.Err() != nil
	stop()
	switch {
	case err == nil:
		return
	case interrupted:
		// What did not work because of that needs no words; lab status lists what could not be cleaned.
		fmt.Fprintln(os.Stderr, "lab: interrupted")
		os.Exit(exitInterrupted)
	default:
		fmt.Fprintln(os.Stderr, "lab:", err)
		os.Exit(1)
	}
}
