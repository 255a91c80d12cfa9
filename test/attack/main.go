package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/go-logr/logr"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

// exitInterrupted is the exit code of a command that Ctrl-C ended.
const exitInterrupted = 130

// options are the flags.
type options struct {
	webhook, only, page string
	span                time.Duration
}

func main() {
	os.Exit(run())
}

func run() int {
	var o options
	flag.StringVar(&o.webhook, "webhook", "", "forestall-webhook to attack (default: built from the repository)")
	flag.DurationVar(&o.span, "for", 4*time.Second, "how long each flood lasts")
	flag.StringVar(&o.only, "only", "", "attacks whose name contains this alone")
	flag.StringVar(&o.page, "o", "", "file for the page with the results")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends it at once; the cluster's watchdog cleans up

	log.SetLogger(logr.Discard()) // controller-runtime complains where none is set
	err := o.attack(ctx)
	switch {
	case ctx.Err() != nil:
		return exitInterrupted
	case err != nil:
		fmt.Fprintln(os.Stderr, "attack:", err)
		return 1
	}
	return 0
}

// attack makes all attacks, one after the other, and tells what became of them.
func (o options) attack(ctx context.Context) error {
	s, err := raise(ctx, o)
	if err != nil {
		return err
	}
	defer s.lower()
	var r results
	for _, e := range evasions() {
		if o.chooses(e.name) && ctx.Err() == nil {
			tell("evading: " + e.name)
			r.evasions = append(r.evasions, evaded{evasion: e, err: e.try(ctx, s)})
		}
	}
	for _, f := range floods() {
		if o.chooses(f.name) && ctx.Err() == nil {
			tell("flooding: " + f.name)
			r.floods = append(r.floods, s.withstand(ctx, f))
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	text := r.page(o)
	fmt.Println(text)
	if o.page != "" {
		if err := os.WriteFile(o.page, []byte(text), 0o644); err != nil {
			return fmt.Errorf("writing the page: %w", err)
		}
	}
	if err := r.failed(); err != nil {
		return fmt.Errorf("%w\nlast lines of the webhook's log:\n%s", err, tail(s.hook.Logs()))
	}
	return nil
}

func (o options) chooses(name string) bool { return strings.Contains(name, o.only) }

func tell(line string) { fmt.Fprintln(os.Stderr, line+"…") }

// tail is the end of a log.
func tail(text string) string {
	const most = 4000
	return strings.ToValidUTF8(text[max(0, len(text)-most):], "")
}
