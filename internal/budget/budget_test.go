package budget_test

import (
	"context"
	"errors"
	"testing"

	"github.com/forestall/forestall/internal/budget"
)

func TestSpend(t *testing.T) {
	b := budget.New(t.Context(), 10)
	for _, tt := range []struct {
		n    int
		want bool
		left int64
	}{{4, true, 6}, {6, true, 0}, {1, false, 0}, {0, false, 0}} {
		if got := b.Spend(tt.n); got != tt.want || b.Left() != tt.left {
			t.Errorf("Spend(%d) = %v, %d left; want %v, %d", tt.n, got, b.Left(), tt.want, tt.left)
		}
	}
	if !errors.Is(b.Err(), budget.ErrSpent) || !b.IsSpent() {
		t.Errorf("Err() = %v", b.Err())
	}
}

func TestDefaults(t *testing.T) {
	var zero budget.Budget
	var none *budget.Budget
	if !zero.Spend(budget.Default) || zero.Spend(1) {
		t.Error("the zero value has not the default number of steps")
	}
	if none.Spend(1) || none.Left() != 0 || !none.IsSpent() {
		t.Error("nil has steps")
	}
	if none.OrDefault().Left() != budget.Default {
		t.Error("nil has no default")
	}
	unlimited := budget.New(t.Context(), budget.Unlimited)
	if !unlimited.Spend(1<<62) || unlimited.Err() != nil {
		t.Error("an unlimited budget is spent")
	}
}

// A cancelled context is told from a spent budget, and is noticed within few steps.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	b := budget.New(ctx, 1_000_000)
	if !b.Spend(1) {
		t.Fatal("there is no step to begin with")
	}
	cancel()
	steps := 0
	for b.Spend(1) {
		steps++
	}
	if !errors.Is(b.Err(), context.Canceled) || b.IsSpent() || b.Left() != 0 {
		t.Errorf("Err() = %v", b.Err())
	}
	if steps > 1000 {
		t.Errorf("%d steps were taken after the end", steps)
	}
	if late := budget.New(ctx, 10); late.Spend(0) {
		t.Error("a budget of a context that has ended has steps")
	}
}

// What a part spends is spent of the whole; the end of the part is not the end of the whole, but
// the other way round it is.
func TestPart(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	whole := budget.New(ctx, 10_000)
	part := whole.Part(40)
	if !part.Spend(40) || part.Spend(1) || !part.IsSpent() || whole.Err() != nil {
		t.Errorf("a part of 40 steps: %v, the whole: %v", part.Err(), whole.Err())
	}
	if got := whole.Left(); got != 9_960 {
		t.Errorf("%d steps are left", got)
	}
	cancel()
	other := whole.Part(5000)
	for other.Spend(1) {
	}
	if !errors.Is(other.Err(), context.Canceled) || !errors.Is(whole.Err(), context.Canceled) {
		t.Errorf("Err() = %v, of the whole %v", other.Err(), whole.Err())
	}
	spent := budget.New(t.Context(), 10)
	spent.Spend(11)
	if left := spent.Part(5); left.Spend(1) || !left.IsSpent() {
		t.Error("a part of what is spent has steps")
	}
}
