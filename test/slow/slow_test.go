package main

import (
	"runtime"
	"testing"

	"github.com/forestall/forestall/internal/budget"
)

// atMost is how many times more than an ordinary object a slow one may take for each step: of memory, and of a processor. A step
// of a script is cheaper than one of a rule, and machines differ; what is not counted costs hundreds of times more.
const atMost = 6

// ordinary is an object as people write it, fifty times over, in which little is wrong.
func ordinary() string {
	return podOf(listed(50, `{"name":"c%d","image":"web:%d","command":["sh","-c","set -e; if [ -f /etc/conf.d/x ]; then cp /etc/conf.d/x /run/x; fi; exec /app/server --port 8%d"],`+
		`"env":[{"name":"PORT","value":"8%d"}],"ports":[{"containerPort":8%d,"name":"p%d"}],"readinessProbe":{"httpGet":{"port":"p%d"}},"livenessProbe":{"tcpSocket":{"port":8%d}}}`))
}

// perStep is what an object takes for each step.
type perStep struct{ allocations, bytes, nanoseconds float64 }

func (b *bench) perStep(t *testing.T, k known) (perStep, cost) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	c, err := b.measureKnown(t.Context(), k, 1)
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	steps := float64(c.steps) + float64(c.bytes)/16 // reading costs bytes, and no steps before it is decided what is judged
	return perStep{float64(after.Mallocs-before.Mallocs) / steps, float64(after.TotalAlloc-before.TotalAlloc) / steps, float64(c.cpu) / steps}, c
}

// TestSlowest holds that the slowest objects that are known end within their steps, or are told not to, and that nothing in them
// takes much without being counted.
func TestSlowest(t *testing.T) {
	b, err := newBench(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range slowest() {
		t.Run(k.name, func(t *testing.T) {
			usual, _ := b.perStep(t, known{way: k.way, world: k.world, object: ordinary})
			got, c := b.perStep(t, k)
			if c.steps > budget.Default || c.unfinished != k.unfinished || c.bytes > 2*large {
				t.Errorf("%d of %d steps for %d bytes, unfinished: %t", c.steps, budget.Default, c.bytes, c.unfinished)
			}
			if got.allocations > atMost*usual.allocations || got.bytes > atMost*usual.bytes || got.nanoseconds > atMost*usual.nanoseconds {
				t.Errorf("a step takes %.2f, an ordinary one %.2f", got, usual)
			}
			t.Logf("a step takes %.2f, an ordinary one %.2f", got, usual)
		})
	}
}

// TestHunt searches for a moment: whatever it makes is answered.
func TestHunt(t *testing.T) {
	b, err := newBench(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	g, err := newGrammar(1)
	if err != nil {
		t.Fatal(err)
	}
	h := newHunt(g, b, t.TempDir(), t.Output())
	for range 200 {
		if err := h.try(t.Context(), h.next()); err != nil {
			t.Fatal(err)
		}
	}
	if err := h.save(); err != nil || len(h.best) == 0 {
		t.Errorf("%d are kept, %v", len(h.best), err)
	}
	if h.failed > 0 {
		t.Errorf("%d objects had no answer", h.failed)
	}
}
