package main

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/forestall/forestall/webhook"
)

const head = `# Benchmarks

What a request and an audit cost. Requests are measured over TLS against a server with one processor, beside what controller-runtime's
cheapest handlers cost in the same run: *no-op* answers without a look, *decode* decodes the object first. Times depend
on the machine and on what else runs on it; the ratios are what counts. ` + "`make bench`" + ` measures again and writes this page.

`

// contender is a path with the answer that it must give.
type contender struct {
	name, path string
}

func contenders() []contender {
	return []contender{{"no-op", noopPath}, {"decode", decodePath}, {"forestall", webhook.ValidatePath}}
}

// report measures everything and writes the page.
func report(ctx context.Context, o options) (string, error) {
	var b strings.Builder
	b.WriteString(head)
	fmt.Fprintf(&b, "%s, %s/%s, %d processors.\n\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	for _, part := range []func(context.Context, *strings.Builder, options) error{writeAudits, writeRequests, writeCreated, writeSoak} {
		if err := part(ctx, &b, o); err != nil {
			return "", err
		}
	}
	return b.String(), nil
}

func ratio(a, b time.Duration) float64 { return float64(a) / float64(max(1, b)) }

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
