package main

import (
	"context"
	"fmt"
	"os"
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
	for _, part := range []func(context.Context, *strings.Builder, options) error{writeAudits, writeRequests, writeSoak} {
		if err := part(ctx, &b, o); err != nil {
			return "", err
		}
	}
	return b.String(), nil
}

// writeRequests measures single requests and loads, all against one server.
func writeRequests(ctx context.Context, b *strings.Builder, o options) error {
	s, err := startServer(ctx)
	if err != nil {
		return err
	}
	defer s.stop()
	if err := writeCosts(ctx, b, s, o.span); err != nil {
		return err
	}
	return writeLoads(ctx, b, s, o.span)
}

// answers is what a contender must answer: only forestall denies.
func answers(c contender, s shape) []byte {
	if c.path == webhook.ValidatePath {
		return s.verdict()
	}
	return []byte(`"allowed":true`)
}

// each measures all contenders under one load, in turn.
func each(ctx context.Context, s *server, l load, what shape, span time.Duration) ([]sample, error) {
	bodies, err := what.bodies()
	if err != nil {
		return nil, err
	}
	var all []sample
	for _, c := range contenders() {
		fmt.Fprintf(os.Stderr, "measuring %s: %s, %s…\n", c.name, what, l)
		one, err := l.run(ctx, s, c.path, bodies, answers(c, what), span)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}

func (l load) String() string {
	if l.rate > 0 {
		return fmt.Sprintf("%d/s", l.rate)
	}
	return fmt.Sprintf("%d connections", l.connections)
}

func shapes() []shape {
	var all []shape
	for _, kind := range []string{"Pod", "Deployment"} {
		for _, containers := range []int{1, 3, 10} {
			for _, failing := range []bool{false, true} {
				for _, repeated := range []bool{false, true} {
					all = append(all, shape{kind, containers, failing, repeated})
				}
			}
		}
	}
	return all
}

func writeCosts(ctx context.Context, b *strings.Builder, s *server, span time.Duration) error {
	b.WriteString("\n## CPU time of a request\n\nEight connections; microseconds of the server's CPU time for each request.\n\n")
	b.WriteString("| object | no-op | decode | forestall | of no-op | of decode |\n|---|---|---|---|---|---|\n")
	for _, what := range shapes() {
		all, err := each(ctx, s, load{connections: 8}, what, span)
		if err != nil {
			return err
		}
		noop, decode, forestall := all[0].perRequest(), all[1].perRequest(), all[2].perRequest()
		fmt.Fprintf(b, "| %s | %d | %d | %d | %.1fx | %.1fx |\n", what,
			noop.Microseconds(), decode.Microseconds(), forestall.Microseconds(),
			ratio(forestall, noop), ratio(forestall, decode))
	}
	b.WriteString("\n")
	return nil
}

func writeLoads(ctx context.Context, b *strings.Builder, s *server, span time.Duration) error {
	b.WriteString("## Throughput and latency\n\nDeployments of three containers, distinct. Latencies in milliseconds, half of them (p50) and all but\none in a hundred (p99) at most; at a fixed rate they count from the moment at which a request is due.\n\n")
	b.WriteString("| load | object | handler | requests/s | p50 | p99 |\n|---|---|---|---|---|---|\n")
	for _, l := range []load{{connections: 1}, {connections: 8}, {connections: 64}, {connections: 8, rate: 200}} {
		for _, failing := range []bool{false, true} {
			what := shape{kind: "Deployment", containers: 3, failing: failing}
			all, err := each(ctx, s, l, what, span)
			if err != nil {
				return err
			}
			verdict := map[bool]string{false: "healthy", true: "failing"}[failing]
			for i, c := range contenders() {
				fmt.Fprintf(b, "| %s | %s | %s | %.0f | %.2f | %.2f |\n", l, verdict, c.name,
					all[i].throughput(), milliseconds(all[i].quantile(0.5)), milliseconds(all[i].quantile(0.99)))
			}
		}
	}
	return nil
}

func ratio(a, b time.Duration) float64 { return float64(a) / float64(max(1, b)) }

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
