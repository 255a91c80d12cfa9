package webhook

import (
	"container/heap"
	"container/list"
	"context"
	"errors"
	"sync"
)

// Why a request got no part of what it waited for.
var (
	errBusy          = errors.New("other requests took all of it until the deadline")
	errNamespaceBusy = errors.New("other requests of the namespace took its share until the deadline")
)

// queue divides something that is scarce, such as slots or memory, among namespaces. What gets
// free goes to the waiting namespace that holds least; of those that hold the same, to the one
// that has waited longest since it had its turn. Within a namespace the first to come is the
// first to be served.
//
// The last quarter goes only to namespaces that hold nothing: one namespace may use all the
// rest, and still the first request of any other waits for none of its requests to end.
//
// It is the namespace that counts and not the user. Who may create objects in one namespace can
// give them to any number of service accounts there, but to no other namespace; and the
// controllers of Kubernetes create the objects of everybody.
//
// Nothing passes the first in line, however much it asks for, so that a large object is not kept
// waiting by a stream of small ones. A namespace is known while it holds or waits for something:
// no more are known than there are requests in memory.
type queue struct {
	mu   sync.Mutex
	most int64
	// kept is the part of most for namespaces that hold nothing.
	kept  int64
	used  int64
	known map[string]*line
	// waiting holds the lines of which somebody waits.
	waiting lines
	// clock counts the turns.
	clock uint64
	// spare are lines that are used again.
	spare []*line
}

// maxSpare is how many lines are kept to be used again.
const maxSpare = 64

// line is what one namespace holds and waits for.
type line struct {
	namespace string
	held      int64
	// since is the turn from which the namespace waits.
	since uint64
	// at is the place among the waiting lines.
	at      int
	waiters list.List // of *waiter
}

// waiter is one request that waits.
type waiter struct {
	n     int64
	ready chan struct{} // closed when n was given
}

func newQueue(most int64) *queue {
	q := &queue{most: most, known: map[string]*line{}}
	if most > 1 {
		q.kept = max(1, most/4)
	}
	return q
}

// acquire waits until the namespace is given n. It returns errBusy or errNamespaceBusy when the
// context ends first.
func (q *queue) acquire(ctx context.Context, namespace string, n int64) error {
	q.mu.Lock()
	l := q.lineOf(namespace)
	if l.waiters.Len() == 0 && q.fits(l, n) && q.first(l) {
		q.give(l, n)
		q.mu.Unlock()
		return nil
	}
	w := &waiter{n: n, ready: make(chan struct{})}
	place := l.waiters.PushBack(w)
	if l.waiters.Len() == 1 {
		q.clock++
		l.since = q.clock
		heap.Push(&q.waiting, l)
	}
	q.mu.Unlock()
	select {
	case <-w.ready:
		return nil
	case <-ctx.Done():
		return q.leave(l, place)
	}
}

// leave takes a request out of the queue that does not wait any longer, and says why it got
// nothing. What it was given meanwhile it gives back.
func (q *queue) leave(l *line, place *list.Element) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	w, _ := place.Value.(*waiter)
	why := errBusy
	if q.ownFault(l) {
		why = errNamespaceBusy
	}
	select {
	case <-w.ready:
		q.take(l, w.n)
		return why
	default:
	}
	l.waiters.Remove(place)
	if l.waiters.Len() == 0 {
		heap.Remove(&q.waiting, l.at)
	}
	q.forget(l)
	q.serve() // it may have been in the way of others
	return why
}

// ownFault reports whether it is up to the namespace itself that it waits: there is something
// left for others, or it holds more than an equal part.
func (q *queue) ownFault(l *line) bool {
	return l.held > 0 && (q.used < q.most || (l.held-1)*int64(len(q.known)) >= q.most)
}

// release gives back what the namespace was given.
func (q *queue) release(namespace string, n int64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.take(q.known[namespace], n)
}

// give and take change what a namespace holds.
func (q *queue) give(l *line, n int64) {
	q.used += n
	l.held += n
}

func (q *queue) take(l *line, n int64) {
	q.used -= n
	l.held -= n
	q.clock++
	l.since = q.clock // others that wait have not been served for longer
	if l.waiters.Len() > 0 {
		heap.Fix(&q.waiting, l.at)
	}
	q.forget(l)
	q.serve()
}

// serve gives what is free to those who wait.
func (q *queue) serve() {
	for len(q.waiting) > 0 {
		l := q.waiting[0]
		front := l.waiters.Front()
		w, _ := front.Value.(*waiter)
		if !q.fits(l, w.n) {
			return
		}
		l.waiters.Remove(front)
		q.give(l, w.n)
		q.clock++
		l.since = q.clock
		if l.waiters.Len() == 0 {
			heap.Remove(&q.waiting, l.at)
		} else {
			heap.Fix(&q.waiting, l.at)
		}
		close(w.ready)
	}
}

// fits reports whether the namespace may have n more now.
func (q *queue) fits(l *line, n int64) bool {
	if l.held > 0 {
		n += q.kept
	}
	return q.used+n <= q.most
}

// first reports whether nobody who waits comes before a namespace that begins to.
func (q *queue) first(l *line) bool { return len(q.waiting) == 0 || l.held < q.waiting[0].held }

// lineOf returns the line of a namespace.
func (q *queue) lineOf(namespace string) *line {
	l := q.known[namespace]
	if l != nil {
		return l
	}
	if last := len(q.spare) - 1; last >= 0 {
		l, q.spare = q.spare[last], q.spare[:last]
	} else {
		l = &line{}
	}
	l.namespace = namespace
	q.known[namespace] = l
	return l
}

// forget drops a line that holds nothing and waits for nothing.
func (q *queue) forget(l *line) {
	if l.held > 0 || l.waiters.Len() > 0 {
		return
	}
	delete(q.known, l.namespace)
	if len(q.spare) < maxSpare {
		l.namespace = ""
		q.spare = append(q.spare, l)
	}
}
