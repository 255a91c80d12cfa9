package review_test

import (
	"context"
	"errors"
	"runtime"
	"testing"

	"github.com/forestall/forestall/internal/builtin"
	"github.com/forestall/forestall/policies"
)

// measuring is an ending context that notes how much had been allocated when it was first found to have
// ended. So much work was done afterwards, however busy the machine is.
type measuring struct {
	ending
	allocated uint64
}

func (m *measuring) Err() error {
	err := m.ending.Err()
	if err != nil && m.allocated == 0 {
		m.allocated = allocated()
	}
	return err
}

func allocated() uint64 {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.TotalAlloc
}

// TestEveryShapeEndsWithItsContext: a review once went on for 93 seconds after its answer. Whatever an object is
// full of, and wherever its review is when the context ends, hardly anything is done any more.
func TestEveryShapeEndsWithItsContext(t *testing.T) {
	rules, err := builtin.RulesOf(t.Context(), policies.FS)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range shapes() {
		t.Run(s.name, func(t *testing.T) {
			n := s.sizes[len(s.sizes)-2]
			if raced || testing.Short() {
				n = s.sizes[len(s.sizes)-3]
			}
			r, of := s.reviewer(t, rules, n), s.subject(t, n)
			whole := func(ctx context.Context) error {
				d, err := r.Review(ctx, of)
				if err == nil {
					_, err = r.Repair(ctx, of, d)
				}
				return err
			}
			unending := &ending{Context: t.Context(), after: 1 << 30}
			if err := whole(unending); err != nil {
				t.Fatal(err)
			}
			for part := range 8 {
				ctx := &measuring{ending: ending{Context: t.Context(), after: unending.looks * part / 8}}
				err := whole(ctx)
				after := allocated() - ctx.allocated
				if !errors.Is(err, context.DeadlineExceeded) || ctx.looks > ctx.after+5 || after > 2<<20 {
					t.Errorf("ends at look %d of %d: %v, looked at %d times more, %d bytes allocated", ctx.after, unending.looks, err, ctx.looks-ctx.after, after)
				}
			}
		})
	}
}
