package review_test

import (
	"math"
	"runtime"
	"slices"
	"testing"

	"github.com/forestall/forestall/internal/budget"
	"github.com/forestall/forestall/internal/builtin"
	"github.com/forestall/forestall/internal/cluster"
	"github.com/forestall/forestall/internal/review"
	"github.com/forestall/forestall/policies"
)

const (
	// maxExponent is how much faster than their size the cost of objects may grow. A sort is 1.1,
	// a loop in a loop is 2.
	maxExponent = 1.2
	// fromSize is the size from which costs are compared: what each object takes hides the growth of smaller ones.
	fromSize = 20
)

// cost is what a review takes. Time is no part of it: it depends on who else works.
type cost struct{ steps, allocations, bytes float64 }

// exponent is how much faster than the size the cost grows, between two sizes.
func exponent(before, after float64, small, large int) float64 {
	return math.Log(after/before) / math.Log(float64(large)/float64(small))
}

// TestGrowth holds that an object of ten times the size costs ten times as much, whatever there is
// ten times of, through facts, rules and repairs. The largest sizes are left out under -short and
// with the race detector.
func TestGrowth(t *testing.T) {
	rules, err := builtin.RulesOf(t.Context(), policies.FS)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range shapes() {
		t.Run(s.name, func(t *testing.T) { s.grow(t, rules) })
	}
}

// grow measures the sizes, and returns the rules that found something in all of them.
func (s shape) grow(t *testing.T, rules *builtin.Rules) (fired []string) {
	t.Helper()
	sizes := s.sizes
	if raced || testing.Short() {
		sizes = sizes[:len(sizes)-1]
	}
	var costs []cost
	for i, n := range sizes {
		took, found := s.cost(t, rules, n)
		costs = append(costs, took)
		if i == 0 {
			fired = found
		}
		fired = slices.DeleteFunc(fired, func(rule string) bool { return !slices.Contains(found, rule) })
		if i == 0 || sizes[i-1] < fromSize && i+1 < len(sizes) {
			continue
		}
		before, grown := costs[i-1], func(before, after float64) float64 { return exponent(before, after, sizes[i-1], n) }
		for what, e := range map[string]float64{
			"steps": grown(before.steps, took.steps), "allocations": grown(before.allocations, took.allocations), "bytes": grown(before.bytes, took.bytes),
		} {
			if e > maxExponent {
				t.Errorf("from %d to %d %s grow with an exponent of %.2f; sizes %v: %.0f", sizes[i-1], n, what, e, sizes, costs)
			}
		}
	}
	return fired
}

// reviewer knows the objects of the cluster, and no bound.
func (s shape) reviewer(t *testing.T, rules *builtin.Rules, n int) *review.Reviewer {
	t.Helper()
	source := cluster.OfFiles(true)
	for _, o := range s.cluster(n) {
		add(t, source, o)
	}
	settings := withLimit()
	settings.Kinds = settings.Kinds.AnyWeight()
	r, err := rules.Reviewer(settings, source)
	if err != nil {
		t.Fatal(err)
	}
	return r.WithSteps(budget.Unlimited)
}

// subject is the object of one size.
func (s shape) subject(t *testing.T, n int) review.Subject {
	t.Helper()
	of := subject(t, s.operation(), s.object(n), "")
	if s.service {
		of.Namespace = "" // where the others are
	}
	if s.repeated != nil {
		of.Repeated = s.repeated(n)
	}
	return of
}

// cost reviews the object of one size.
func (s shape) cost(t *testing.T, rules *builtin.Rules, n int) (cost, []string) {
	t.Helper()
	r, of := s.reviewer(t, rules, n), s.subject(t, n)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	d, err := r.Review(t.Context(), of)
	if err != nil || d.Unfinished != "" || len(d.Errors) > 0 {
		t.Fatal(err, d.Unfinished, d.Errors)
	}
	if s.repaired {
		if repaired, err := r.Repair(t.Context(), of, d); err != nil || repaired.Proofs != 1 {
			t.Fatalf("%d proofs, %v", repaired.Proofs, err)
		}
	}
	runtime.ReadMemStats(&after)
	took := cost{float64(d.Steps), float64(after.Mallocs - before.Mallocs), float64(after.TotalAlloc - before.TotalAlloc)}
	return took, review.Fired(&d)
}
