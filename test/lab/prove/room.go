package prove

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"
)

// settled is when the pods of a case have started, or have begun to fail.
const settled = 20 * time.Second

// share is a part of the node: what a case takes, or what is free.
type share struct {
	starts int // of cases that start pods, or end and start them again: they take the CPU
	pods   int
	memory int64
}

// node is what all cases share: a node takes 110 pods and 4 GiB, of which a roll-out
// takes some beside what the manifests say; two cores start pods of some cases at a
// time.
func node() share { return share{starts: 12, pods: 90, memory: 3500 << 20} }

func (s share) holds(other share) bool {
	return other.starts <= s.starts && other.pods <= s.pods && other.memory <= s.memory
}

func (s share) plus(other share) share {
	return share{s.starts + other.starts, s.pods + other.pods, s.memory + other.memory}
}

func (s share) minus(other share) share {
	return share{s.starts - other.starts, s.pods - other.pods, s.memory - other.memory}
}

// atMost is the share, as far as there is so much in all: what wants more gets all.
func (s share) atMost(all share) share {
	return share{min(s.starts, all.starts), min(s.pods, all.pods), min(s.memory, all.memory)}
}

// job is a case that something is done with.
type job struct {
	*running
	takes share
}

// sideBySide does something with each case: with as many at a time as there is
// room for, the longest first. A case that only looks on, once its pods have
// started, does not keep others from starting theirs.
func (p *prover) sideBySide(ctx context.Context, room share, jobs []job, do func(context.Context, *running) error) {
	waiting := longestFirst(jobs)
	for i := range waiting {
		waiting[i].takes = waiting[i].takes.atMost(room)
	}
	back := make(chan share, 2*len(jobs)) // each gives back once or twice
	var all sync.WaitGroup
	for len(waiting) > 0 {
		next := slices.IndexFunc(waiting, func(j job) bool { return room.holds(j.takes) })
		if next < 0 {
			room = room.plus(<-back)
			continue
		}
		j := waiting[next]
		waiting = slices.Delete(waiting, next, next+1)
		room = room.minus(j.takes)
		all.Go(func() { j.perform(ctx, back, do) })
	}
	all.Wait()
}

// perform does it, and gives back what the case took.
func (j job) perform(ctx context.Context, back chan<- share, do func(context.Context, *running) error) {
	start, rest := share{starts: j.takes.starts}, j.takes
	if j.report.Case.Quiet() > settled {
		rest.starts = 0
		defer giveAfter(settled, back, start)()
	}
	defer func() { back <- rest }()
	if err := context.Cause(ctx); err != nil {
		j.fail(err)
		return
	}
	j.fail(do(ctx, j.running))
}

// giveAfter gives something back after a time, or when the function that it
// returns is called before.
func giveAfter(d time.Duration, back chan<- share, what share) func() {
	timer := time.AfterFunc(d, func() { back <- what })
	return func() {
		if timer.Stop() {
			back <- what
		}
	}
}

// longestFirst orders cases so that the last to begin are soon done.
func longestFirst(jobs []job) []job {
	return slices.SortedStableFunc(slices.Values(jobs), func(a, b job) int {
		return cmp.Compare(b.report.Case.Expected(), a.report.Case.Expected())
	})
}
