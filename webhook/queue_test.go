package webhook

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// held returns how much is in use.
func (q *queue) held() int64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.used
}

// play asks a queue, one after the other, and returns who was served in which order. a asks for 1 of
// the namespace a, a5 asks for 5, -a gives 1 back, and !a ends the first request of a that waits.
func play(t *testing.T, most int64, steps string) string {
	t.Helper()
	var served []string
	synctest.Test(t, func(t *testing.T) {
		q := newQueue(most)
		var mu sync.Mutex
		quit := map[string][]context.CancelFunc{}
		for _, step := range strings.Fields(steps) {
			n, before := int64(1), len(served)
			word := strings.TrimLeft(step, "-!")
			namespace := word[:1]
			if len(word) > 1 {
				if _, err := fmt.Sscan(word[1:], &n); err != nil {
					t.Fatal(err)
				}
			}
			switch step[0] {
			case '-':
				q.release(namespace, n)
			case '!':
				quit[namespace][0]()
				quit[namespace] = quit[namespace][1:]
			default:
				ctx, cancel := context.WithCancel(t.Context())
				quit[namespace] = append(quit[namespace], cancel)
				go func() {
					if q.acquire(ctx, namespace, n) == nil {
						mu.Lock()
						defer mu.Unlock()
						served = append(served, word)
					}
				}()
			}
			synctest.Wait()
			slices.Sort(served[before:]) // they were served at once
		}
		for _, ends := range quit {
			for _, end := range ends {
				end()
			}
		}
		synctest.Wait()
		holds := int64(0)
		for _, l := range q.known {
			holds += l.held
			if l.held == 0 || l.waiters.Len() > 0 {
				t.Errorf("%s is known, with %d and %d that wait", l.namespace, l.held, l.waiters.Len())
			}
		}
		if holds != q.used || len(q.waiting) > 0 {
			t.Errorf("%d is in use, the namespaces hold %d, %d wait", q.used, holds, len(q.waiting))
		}
	})
	return strings.Join(served, " ")
}

// TestQueue holds who is served next.
func TestQueue(t *testing.T) {
	for _, tt := range []struct {
		name  string
		most  int64
		steps string
		want  string
	}{
		{"one namespace has all but a quarter", 8, "a a a a a a a a -a", "a a a a a a a"},
		{"others wait for none of its requests", 8, "a a a a a a a a b c", "a a a a a a b c"},
		{"nor for those of several", 8, "a b a b a b a b a b a b c d", "a b a b a b c d"},
		{"what gets free goes to who holds least", 4, "a a a a a b b c -a -b -b -a -a", "a a a b c b a a"},
		{"a single one is shared in turn", 1, "a a a b b c -a -b -c -a -b", "a b c a b a"},
		{"in turn although one came again and again", 1, "a b a a -a -b a -a b -a -b -a", "a b a a b a"},
		{"first come, first served within a namespace", 8, "a a a a a a4 a -a -a -a -a", "a a a a a a4 a"},
		{"a large one is not passed", 8, "a4 b6 c c -a4", "a4 b6 c"},
		{"and not taken for less than it is", 8, "a8 b -a8 a8 -b", "a8 b a8"},
		{"who leaves is not in the way", 8, "a4 b6 c c !b", "a4 c c"},
		{"who leaves gets nothing", 1, "a a b !a !a -a", "a b"},
		{"more than there is never comes", 4, "a5 b", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := play(t, tt.most, tt.steps); got != tt.want {
				t.Errorf("%s\nserved %s\nwant   %s", tt.steps, got, tt.want)
			}
		})
	}
}

// TestWhoseOverload: a namespace is told apart that only waits for itself.
func TestWhoseOverload(t *testing.T) {
	for _, tt := range []struct {
		name  string
		most  int64
		held  map[string]int64
		waits map[string]error
	}{
		{"one has its share, others would be served", 8, map[string]int64{"a": 6}, map[string]error{"a": errNamespaceBusy}},
		{"one has most, all is in use", 8, map[string]int64{"a": 6, "b": 1, "c": 1}, map[string]error{
			"a": errNamespaceBusy, "b": errBusy, "d": errBusy,
		}},
		{"all have the same", 8, map[string]int64{"a": 2, "b": 2, "c": 2, "d": 2}, map[string]error{"a": errBusy, "e": errBusy}},
		{"one slot for all", 1, map[string]int64{"a": 1}, map[string]error{"a": errBusy}},
		{"one slot, and others wait", 1, map[string]int64{"a": 1}, map[string]error{"a": errBusy, "b": errBusy}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				q := newQueue(tt.most)
				for namespace, n := range tt.held {
					l := q.lineOf(namespace)
					q.give(l, n)
				}
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				var mu sync.Mutex
				got := map[string]error{}
				for namespace := range tt.waits {
					go func() {
						err := q.acquire(ctx, namespace, 1)
						mu.Lock()
						defer mu.Unlock()
						got[namespace] = err
					}()
				}
				time.Sleep(2 * time.Second)
				synctest.Wait()
				for namespace, want := range tt.waits {
					if !errors.Is(got[namespace], want) {
						t.Errorf("%s: %v, want %v", namespace, got[namespace], want)
					}
				}
			})
		})
	}
}

// TestQueueUnderLoad: with many that come, wait, leave and end at random, never is more in use than there is, nobody has more
// than its share, and in the end nothing is held or known.
func TestQueueUnderLoad(t *testing.T) {
	const most = 16
	q := newQueue(most)
	var done sync.WaitGroup
	for worker := range 64 {
		done.Go(func() {
			random := rand.New(rand.NewPCG(1, uint64(worker)))
			namespace := string(rune('a' + min(random.IntN(12), 4))) // most are of one
			for range 300 {
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(random.IntN(200))*time.Microsecond)
				n := 1 + int64(random.IntN(3))
				if q.acquire(ctx, namespace, n) == nil {
					q.mu.Lock()
					if held := q.known[namespace].held; q.used > most || held > most-q.kept {
						t.Errorf("%d in use, %d of %s", q.used, held, namespace)
					}
					q.mu.Unlock()
					q.release(namespace, n)
				}
				cancel()
			}
		})
	}
	done.Wait()
	if q.used != 0 || len(q.known) != 0 || len(q.waiting) != 0 || len(q.spare) > maxSpare {
		t.Errorf("%d in use, %d known, %d wait, %d spare", q.used, len(q.known), len(q.waiting), len(q.spare))
	}
}

// BenchmarkSlots is what each request pays for its slot, and its turn.
func BenchmarkSlots(b *testing.B) {
	slots, bodies := newSlots(8), newBodies(DefaultMaxBodyMemory, 8)
	ctx, cancel := context.WithTimeout(b.Context(), time.Hour)
	defer cancel()
	b.ReportAllocs()
	for b.Loop() {
		one, err := slots.take(ctx, "shop", false)
		if err != nil || !bodies.small.add("shop", maxSmall) || bodies.light.acquire(ctx, "shop", maxLight) != nil {
			b.Fatal(err)
		}
		bodies.light.release("shop", maxLight)
		bodies.small.remove("shop", maxSmall)
		slots.give(one)
	}
}
