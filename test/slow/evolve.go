package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"
)

const (
	// small objects are tried by the thousands, large ones show what becomes of them.
	small = 8 << 10
	large = 3 << 20
	// perStepBound is how many nanoseconds a step may take, and cpuBound how long an object. What takes more is told.
	perStepBound = 1000
	cpuBound     = 3 * time.Second
)

// tried is an object with what it takes.
type tried struct {
	object, old object
	way         way
	world       int
	cost        cost
}

// cell is where the best of a kind is kept, so that the fields where an object may be slow do not
// displace each other.
type cell struct {
	way   way
	field string
	score string
	large bool
}

// hunt is one search.
type hunt struct {
	*grammar
	*bench
	best  map[cell]tried
	out   string
	tries int
	// failed is how many objects had no answer but a bug.
	failed int
	// spent is the processor time that small and large objects took.
	spent map[bool]time.Duration
	log   io.Writer
}

func newHunt(g *grammar, b *bench, out string, log io.Writer) *hunt {
	return &hunt{grammar: g, bench: b, best: map[cell]tried{}, spent: map[bool]time.Duration{}, out: out, log: log}
}

// run searches until the context ends.
func (h *hunt) run(ctx context.Context, end <-chan struct{}) error {
	for report := time.Now(); !closed(end); h.tries++ {
		t := h.next()
		if err := h.try(ctx, t); err != nil {
			return err
		}
		if time.Since(report) > time.Minute {
			report = time.Now()
			if err := h.save(); err != nil {
				return err
			}
		}
	}
	return h.save()
}

// next is an object of its own, or one of the best ones changed.
func (h *hunt) next() tried {
	t := tried{way: pick(h.grammar, validate, validate, validate, update, mutate, auditing, propose), world: h.IntN(h.worlds())}
	keys := slices.SortedFunc(maps.Keys(h.best), func(a, b cell) int { return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	if len(keys) == 0 || h.chance(10) {
		t.object = h.manifest()
	} else {
		key := pick(h.grammar, keys...)
		parent := h.best[key]
		t.way, t.world = key.way, parent.world
		switch {
		case !key.large && h.chance(10) && h.spent[true] <= h.spent[false]:
			t.object = h.grown(parent.object, pick(h.grammar, large, large, large/4, large/16))
		case key.large && h.spent[true] > h.spent[false]:
			return h.next()
		case key.large:
			t.object = h.mutated(parent.object, parent.object, large/8)
		default:
			t.object = h.mutated(parent.object, h.best[pick(h.grammar, keys...)].object, small)
		}
		if h.chance(10) {
			t.world = h.IntN(h.worlds())
		}
	}
	if t.way == update {
		t.old = h.mutated(t.object, t.object, small)
	}
	return t
}

// try measures an object, and keeps it if it is the best of its cell.
func (h *hunt) try(ctx context.Context, t tried) error {
	raw, old := text(t.object), []byte(nil)
	if t.old != nil {
		old = text(t.old)
	}
	size := len(raw) + len(old)
	if size > large+large/8 || size > 2*small && size < large/32 {
		return nil
	}
	// Where the process dies of it, this is what it died of.
	if err := os.WriteFile(filepath.Join(h.out, "current.json"), raw, 0o600); err != nil {
		return fmt.Errorf("keeping the object: %w", err)
	}
	again := func() (err error) {
		t.cost, err = h.measure(ctx, t.way, t.world, raw, old, 2)
		return err
	}
	var err error
	if t.cost, err = h.measure(ctx, t.way, t.world, raw, old, 1); err != nil {
		return h.noAnswer(t, err)
	}
	h.spent[size > 2*small] += t.cost.cpu
	for name, of := range scores(t.way) {
		key := cell{t.way, heaviest(t.object), name, size > 2*small}
		if !h.better(key, of, t.cost) {
			continue
		}
		if err := again(); err != nil { // the first time may have been chance
			return h.noAnswer(t, err)
		}
		h.spent[key.large] += 2 * t.cost.cpu
		if !h.better(key, of, t.cost) {
			continue
		}
		h.best[key] = t
		if err := h.tell(key, t); err != nil {
			return err
		}
	}
	return nil
}

// scores are those by which objects are kept. An audit does not tell its steps.
func scores(w way) map[string]func(cost) float64 {
	if w == auditing {
		return map[string]func(cost) float64{"byte": cost.perByte}
	}
	return map[string]func(cost) float64{"byte": cost.perByte, "step": cost.perStep}
}

func (h *hunt) better(key cell, of func(cost) float64, c cost) bool {
	was, ok := h.best[key]
	return !ok || of(c) > of(was.cost)
}

// tell keeps a large object that is slower than any should be.
func (h *hunt) tell(key cell, t tried) error {
	uncounted := t.way != auditing && t.cost.perStep() > perStepBound && t.cost.cpu > 100*time.Millisecond
	if !key.large || !uncounted && t.cost.cpu <= cpuBound {
		return nil
	}
	return h.keep(fmt.Sprintf("slow-%s-%s", key.field, key.score), t, line(key, t))
}

func closed(end <-chan struct{}) bool {
	select {
	case <-end:
		return true
	default:
		return false
	}
}
