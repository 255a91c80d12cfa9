package webhook

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"
)

// defaultOverdue is how long a review may go on after its deadline. It may be at a step that
// looks at no deadline, which takes seconds on a slow machine; what takes a minute is a bug and
// never ends.
const defaultOverdue = time.Minute

// slots bound the reviews that run at once. A review is work for a processor: more
// of them at once would only make all of them late. Bodies are read before a slot
// is taken, since the UID in them is needed to answer at all.
type slots struct {
	// free are the slots that no review holds.
	free chan *slot
	all  []*slot
	// turns divides the slots among namespaces.
	turns *queue
	// repairs bounds the reviews of /mutate to half of all slots. /mutate reviews an object again
	// for each repair; with all slots it would leave none for /validate, which alone refuses.
	repairs *queue
}

// slot is the right to review one object.
type slot struct {
	// deadline of the review that holds the slot, in nanoseconds since 1970; 0 for none.
	deadline atomic.Int64
	// namespace that the review counts for.
	namespace string
	// repairs is true where the review counts towards the bound of /mutate.
	repairs bool
}

func newSlots(n int) *slots {
	s := &slots{
		free: make(chan *slot, n), all: make([]*slot, n),
		turns: newQueue(int64(n)), repairs: newQueue(int64(max(1, n/2))),
	}
	for i := range s.all {
		s.all[i] = &slot{}
		s.free <- s.all[i]
	}
	return s
}

// take waits for a slot, and returns errBusy or errNamespaceBusy when the context ends first.
// /mutate waits for its share first, and holds no slot meanwhile.
func (s *slots) take(ctx context.Context, namespace string, repairs bool) (*slot, error) {
	if repairs {
		if err := s.repairs.acquire(ctx, namespace, 1); err != nil {
			return nil, err
		}
	}
	if err := s.turns.acquire(ctx, namespace, 1); err != nil {
		if repairs {
			s.repairs.release(namespace, 1)
		}
		return nil, err
	}
	taken := <-s.free // there is one for every turn
	taken.namespace, taken.repairs = namespace, repairs
	if deadline, ok := ctx.Deadline(); ok {
		taken.deadline.Store(deadline.UnixNano())
	}
	return taken, nil
}

// give gives a slot back.
func (s *slots) give(taken *slot) {
	namespace, repairs := taken.namespace, taken.repairs
	taken.deadline.Store(0)
	s.free <- taken
	s.turns.release(namespace, 1)
	if repairs {
		s.repairs.release(namespace, 1)
	}
}

// stuck returns an error while a review goes on that is overdue. One is enough: it holds its
// slot for ever, mostly a processor too, and the same object will be sent again.
func (s *slots) stuck(overdue time.Duration) error {
	for _, one := range s.all {
		deadline := one.deadline.Load()
		if deadline == 0 {
			continue
		}
		if late := time.Since(time.Unix(0, deadline)); late > overdue {
			return fmt.Errorf("a review goes on %s after its deadline", late.Truncate(time.Second))
		}
	}
	return nil
}
