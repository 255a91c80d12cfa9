package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/forestall/forestall/test/bench/shapes"
	"github.com/forestall/forestall/webhook"
)

// writeRequests measures requests under every load, all against one server.
func writeRequests(ctx context.Context, b *strings.Builder, o options) error {
	s, err := startServer(ctx)
	if err != nil {
		return err
	}
	defer s.stop()
	b.WriteString("\n## Requests\n\nA *distinct* object has a pod template that never came before; of a *repeated* one only the name is new. Objects look as the API\n" +
		"server sends them, with its defaults filled in. Some have the fields that people set; *full* ones look as a build, an operator and a mesh leave\n" +
		"them: image digests, sixteen variables a container, checksums and commits in annotations. Latencies are in milliseconds: half of them (p50) and all but one in a\nhundred (p99) are at most so long. Each figure is of three rounds, in which the handlers take turns: the latencies of all, the CPU\n" +
		"time and the throughput of the fastest. Together the rounds of a handler take " + o.span.String() + ".\n")
	for _, l := range loads() {
		if err := writeLoad(ctx, b, s, l, o); err != nil {
			return err
		}
	}
	return nil
}

// answers is what a contender must answer: only forestall denies.
func answers(c contender, s shapes.Shape) []byte {
	if c.path == webhook.ValidatePath {
		return s.Verdict()
	}
	return []byte(`"allowed":true`)
}

// rounds is how often the contenders are measured in turn: what else the machine does
// meanwhile is then the same for all of them.
const rounds = 3

// each measures all contenders under one load, in rounds.
func each(ctx context.Context, s *server, l load, what shapes.Shape, span time.Duration) ([]sample, error) {
	body, err := what.Body()
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(os.Stderr, "measuring %s, %s…\n", what, l)
	all := make([]sample, len(contenders()))
	for range rounds {
		for i, c := range contenders() {
			one, err := l.run(ctx, s, c.path, body, answers(c, what), span/rounds)
			if err != nil {
				return nil, err
			}
			all[i] = all[i].with(one)
		}
	}
	return all, nil
}

// title says what the load is, to people.
func (l load) title() string {
	switch {
	case l.rate > 0:
		return fmt.Sprintf("%d requests a second, from when each is due", l.rate)
	case l.connections == 1:
		return "One connection"
	}
	return fmt.Sprintf("%d connections", l.connections)
}

func (l load) String() string {
	if l.rate > 0 {
		return fmt.Sprintf("%d/s", l.rate)
	}
	return fmt.Sprintf("%d connections", l.connections)
}

func loads() []load {
	return []load{{connections: 8}, {connections: 1}, {connections: 64}, {connections: 8, rate: 200}}
}

// writeLoad measures every shape under one load.
func writeLoad(ctx context.Context, b *strings.Builder, s *server, l load, o options) error {
	fmt.Fprintf(b, "\n### %s\n\n", l.title())
	var latencies, cpu strings.Builder
	for _, what := range shapes.All() {
		if !o.measures(fmt.Sprintf("%s, %s", what, l)) {
			continue
		}
		all, err := each(ctx, s, l, what, o.span)
		if err != nil {
			return err
		}
		writeLatencies(&latencies, what, all)
		writeCosts(&cpu, what, all)
	}
	if l.connections == 8 && l.rate == 0 {
		b.WriteString("Microseconds of the server's CPU time for each request:\n\n" +
			"| object | no-op | decode | forestall | of no-op | of decode |\n|---|---|---|---|---|---|\n" + cpu.String() + "\n")
	}
	b.WriteString("| object | no-op: /s | p50 | p99 | decode: /s | p50 | p99 | forestall: /s | p50 | p99 | p99 of no-op |\n" +
		"|---|---|---|---|---|---|---|---|---|---|---|\n" + latencies.String())
	return nil
}

func writeLatencies(b *strings.Builder, what shapes.Shape, all []sample) {
	fmt.Fprintf(b, "| %s |", what)
	for _, s := range all {
		fmt.Fprintf(b, " %.0f | %.2f | %.2f |", s.throughput, milliseconds(s.quantile(0.5)), milliseconds(s.quantile(0.99)))
	}
	fmt.Fprintf(b, " %.1fx |\n", ratio(all[2].quantile(0.99), all[0].quantile(0.99)))
}

func writeCosts(b *strings.Builder, what shapes.Shape, all []sample) {
	noop, decode, forestall := all[0].perRequest, all[1].perRequest, all[2].perRequest
	fmt.Fprintf(b, "| %s | %d | %d | %d | %.1fx | %.1fx |\n", what,
		noop.Microseconds(), decode.Microseconds(), forestall.Microseconds(), ratio(forestall, noop), ratio(forestall, decode))
}
