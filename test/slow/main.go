package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	span := flag.Duration("for", time.Hour, "how `long` to look for slow objects; 0 prints what the slowest that are known take")
	out := flag.String("o", "", "the `folder` for what is found; empty for a new one")
	seed := flag.Uint64("seed", uint64(time.Now().UnixNano()), "where chance begins")
	flag.Parse()
	if err := work(ctx, *span, *out, *seed); err != nil {
		fmt.Fprintln(os.Stderr, "slow:", err)
		os.Exit(1)
	}
}

func work(ctx context.Context, span time.Duration, out string, seed uint64) error {
	debug.SetGCPercent(400) // the stores are large, and the collector is not what is measured
	b, err := newBench(ctx)
	if err != nil {
		return err
	}
	if span == 0 {
		return b.table(ctx, os.Stdout)
	}
	if out == "" {
		if out, err = os.MkdirTemp("", "forestall-slow-"); err != nil {
			return fmt.Errorf("making the folder: %w", err)
		}
	}
	if err := os.MkdirAll(out, 0o700); err != nil {
		return fmt.Errorf("making the folder: %w", err)
	}
	g, err := newGrammar(seed)
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "looking for slow objects for %s; what is found is in %s (seed %d)\n", span, out, seed)
	h := newHunt(g, b, out, os.Stderr)
	ending, cancel := context.WithTimeout(ctx, span)
	defer cancel()
	return h.run(context.WithoutCancel(ctx), ending.Done())
}
