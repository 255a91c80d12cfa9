package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"regexp"
	"time"
)

// These in the environment make this program the server that is measured, or the
// process that only parses the files below a folder.
const (
	asServer = "FORESTALL_BENCH_SERVER"
	asFloor  = "FORESTALL_BENCH_FLOOR"
	// profileTo, in the environment of the server, is where it writes its CPU profile.
	profileTo = "FORESTALL_BENCH_PROFILE"
)

// options say what is measured.
type options struct {
	// out is the file for the page; empty for standard output.
	out string
	// forestall is the command whose audits are measured.
	forestall string
	// span is how long each kind of request is measured.
	span time.Duration
	// only, if set, leaves out what it does not match: "audits of 1,000 files",
	// "Pod, 3 containers, healthy, distinct, 8 connections", "API server", "soak".
	only *regexp.Regexp
}

func (o options) measures(what string) bool { return o.only == nil || o.only.MatchString(what) }

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var o options
	flag.StringVar(&o.out, "o", "", "write the page to this `file` instead of standard output")
	flag.StringVar(&o.forestall, "forestall", "bin/forestall", "the `command` whose audits are measured")
	flag.DurationVar(&o.span, "for", 2*time.Second, "how `long` each kind of request is measured")
	flag.Func("only", "measure only what the `expression` matches, such as 'Pod, 3 .* 8 connections', audits, API server or soak", func(s string) (err error) {
		o.only, err = regexp.Compile(s)
		return err
	})
	flag.Parse()
	if err := work(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func work(ctx context.Context, o options) error {
	if os.Getenv(asServer) != "" {
		return serve(ctx)
	}
	if folder := os.Getenv(asFloor); folder != "" {
		return parse(folder)
	}
	return measure(ctx, o)
}

func measure(ctx context.Context, o options) error {
	page, err := report(ctx, o)
	if err != nil {
		return err
	}
	if o.out == "" {
		_, err := os.Stdout.WriteString(page)
		return err
	}
	if err := os.WriteFile(o.out, []byte(page), 0o644); err != nil {
		return fmt.Errorf("writing the page: %w", err)
	}
	return nil
}
