package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"time"
)

// asServer in the environment makes this program the server that is measured.
const asServer = "FORESTALL_BENCH_SERVER"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	out := flag.String("o", "", "write the page to this `file` instead of standard output")
	span := flag.Duration("for", 2*time.Second, "how `long` each case is measured")
	flag.Parse()
	run := func() error { return measure(ctx, *out, *span) }
	if os.Getenv(asServer) != "" {
		run = func() error { return serve(ctx) }
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func measure(ctx context.Context, out string, span time.Duration) error {
	s, err := startServer(ctx)
	if err != nil {
		return err
	}
	defer s.stop()
	page, err := report(ctx, s, span)
	if err != nil {
		return err
	}
	if out == "" {
		_, err := os.Stdout.WriteString(page)
		return err
	}
	if err := os.WriteFile(out, []byte(page), 0o644); err != nil {
		return fmt.Errorf("writing the page: %w", err)
	}
	return nil
}
