// Command demo shows forestall's main job on a real API server: it starts one,
// with forestall-webhook beside it, applies every manifest in examples/ with
// kubectl and prints what the person typing would see. Each manifest says in its
// header what should become of it; the demo fails where something else does.
package main

import (
	"context"
	"flag"
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
	os.Exit(run())
}

func run() int {
	var d demo
	flag.StringVar(&d.examples, "examples", "examples", "folder of the manifests to apply")
	flag.StringVar(&d.defaultLimit, "default-limit-config", "test/demo/default-limit.yaml", "configuration of the second part")
	flag.StringVar(&d.webhook, "webhook", "", "forestall-webhook to run (default: built from the repository)")
	flag.BoolVar(&d.keep, "keep", false, "leave everything running until Ctrl-C")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// From then on a second Ctrl-C ends the demo at once; the cluster's watchdog
	// cleans up behind it.
	context.AfterFunc(ctx, stop)

	log.SetLogger(logr.Discard()) // controller-runtime complains where none is set
	d.out = newPrinter(os.Stdout)

	err := d.run(ctx)
	switch {
	case ctx.Err() != nil:
		return exitInterrupted
	case err != nil:
		fmt.Fprintln(os.Stderr, "demo:", err)
		return 1
	}
	return 0
}
