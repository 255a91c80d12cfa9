// Command eater takes memory and keeps it:
//
//	AFTER   it begins then, such as 5s
//	RATE    MiB taken each second, 32 without one
//	UP_TO   MiB after which it takes no more, and lives on
//	KEEP    false: each MiB is garbage once it is taken
//
// It is one process, so that what the kernel kills is the container.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"
)

const mebibyte = 1 << 20

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	after, err := time.ParseDuration(or("AFTER", "0s"))
	if err != nil {
		return fmt.Errorf("AFTER: %w", err)
	}
	rate, err := strconv.Atoi(or("RATE", "32"))
	if err != nil || rate <= 0 {
		return fmt.Errorf("RATE: %q is no number of MiB", os.Getenv("RATE"))
	}
	upTo, err := strconv.Atoi(or("UP_TO", "64"))
	if err != nil {
		return fmt.Errorf("UP_TO: %w", err)
	}
	keep, err := strconv.ParseBool(or("KEEP", "true"))
	if err != nil {
		return fmt.Errorf("KEEP: %w", err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	select {
	case <-ctx.Done():
		return nil
	case <-time.After(after):
	}
	held := eat(ctx, rate, upTo, keep)
	<-ctx.Done()
	fmt.Println("gave back", len(held), "MiB")
	return nil
}

// eat takes memory step by step. Each page is written to: memory that is only
// promised costs nothing.
func eat(ctx context.Context, rate, upTo int, keep bool) [][]byte {
	begin := time.Now()
	tick := time.NewTicker(time.Second / time.Duration(rate))
	defer tick.Stop()
	var held [][]byte
	for taken := 0; taken < upTo; {
		// By the clock: a busy machine leaves ticks out.
		if float64(taken) >= time.Since(begin).Seconds()*float64(rate) {
			select {
			case <-ctx.Done():
				return held
			case <-tick.C:
			}
			continue
		}
		piece := make([]byte, mebibyte)
		for at := 0; at < len(piece); at += os.Getpagesize() {
			piece[at] = 1
		}
		taken++
		if keep {
			held = append(held, piece)
		}
		if taken%32 == 0 {
			fmt.Println("took", taken, "MiB, holding", len(held))
		}
	}
	return held
}

func or(variable, other string) string {
	if text := os.Getenv(variable); text != "" {
		return text
	}
	return other
}
