// Package budget bounds the work that one object may cause. It counts steps and never
// time, so that a verdict does not depend on the load of a machine: an audit of the same
// object comes as far as the webhook did.
package budget

import (
	"context"
	"errors"
	"math"
)

// Default is how many steps a Budget has where nobody says otherwise. A step is about what OPA takes to
// evaluate an expression, 0.1 to 0.7 microseconds with what it allocates, so that an object which spends
// them all ends in 1 to 2 seconds of processor time, whatever its 3 MiB are made of: containers, ports, scripts.
// Of 590 objects that people have written, the largest takes 1,400 steps and the one in the middle 280; a pod of
// 50 containers with scripts of 4 KiB takes 160,000, a twentieth. 2,000 containers with three findings each
// take 2.4 million. What the object is repaired with comes out of the same steps.
const Default = 3_000_000

// Unlimited is a number of steps that nothing spends: for tests that count.
const Unlimited = math.MaxInt64

// lookEvery is after how many steps the context is looked at again: some hundred microseconds.
const lookEvery = 512

// ErrSpent says that an object took more steps than it may.
var ErrSpent = errors.New("the object is too large to be judged whole")

// Budget is what may be spent on one object. Once it is spent, or its context has ended, it stays
// so. The zero value has Default steps and no context; nil has nothing. It is for one goroutine.
type Budget struct {
	ctx   context.Context
	limit int64 // 0 for Default
	spent int64
	look  int64 // at so many spent steps the context is looked at
	err   error
	whole *Budget // which this one is a part of
}

// New returns a Budget of so many steps, 0 for Default, which ends with the context.
func New(ctx context.Context, steps int64) *Budget { return &Budget{ctx: ctx, limit: steps} }

// OrDefault returns the Budget, or a new one of Default steps for nil.
func (b *Budget) OrDefault() *Budget {
	if b == nil {
		return &Budget{}
	}
	return b
}

// Part returns a Budget of at most so many steps, which are spent of this one too. That a part is
// spent does not end the whole.
func (b *Budget) Part(steps int64) *Budget {
	return &Budget{limit: max(1, min(steps, b.Left())), whole: b}
}

// Spend takes n steps, and reports whether the work may go on.
func (b *Budget) Spend(n int) bool {
	if b == nil || b.err != nil {
		return false
	}
	if int64(n) > b.steps()-b.spent {
		b.err = ErrSpent
		return false
	}
	b.spent += int64(n)
	switch {
	case b.whole != nil:
		if !b.whole.Spend(n) {
			b.err = b.whole.err
		}
	case b.ctx != nil && b.spent >= b.look:
		b.look = b.spent + lookEvery
		b.err = b.ctx.Err()
	}
	return b.err == nil
}

// Err returns nil while the work may go on, ErrSpent once the steps are spent, and the error of the
// context where that has ended.
func (b *Budget) Err() error {
	if b == nil {
		return ErrSpent
	}
	return b.err
}

// IsSpent reports whether the steps were too few. Where the context has ended, nothing is known of them.
func (b *Budget) IsSpent() bool { return errors.Is(b.Err(), ErrSpent) }

// Spent returns how many steps were taken.
func (b *Budget) Spent() int64 {
	if b == nil {
		return 0
	}
	return b.spent
}

// Left returns how many steps there are still.
func (b *Budget) Left() int64 {
	if b == nil || b.err != nil {
		return 0
	}
	return b.steps() - b.spent
}

func (b *Budget) steps() int64 {
	if b.limit == 0 {
		return Default
	}
	return b.limit
}
