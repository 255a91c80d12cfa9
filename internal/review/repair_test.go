package review_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/budget"
	"github.com/forestall/forestall/internal/review"
)

// withLimit repairs containers without a limit.
func withLimit() review.Settings {
	return review.Settings{Params: map[string]map[string]any{"memory-limit-missing": {"defaultLimit": "128Mi"}}}
}

// listed puts n things into a list.
func listed(n int, item func(i int) string) string {
	items := make([]string, n)
	for i := range items {
		items[i] = item(i)
	}
	return strings.Join(items, ",")
}

func podOf(containers string) string {
	return `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","labels":{"app":"a"}},"spec":{"containers":[` + containers + `]}}`
}

// podWithFaulty has n containers without a limit. Some are told to take more than the limit that they
// would get, so that their repair is at fault.
func podWithFaulty(n int, faulty ...int) string {
	return podOf(listed(n, func(i int) string {
		if slices.Contains(faulty, i) {
			return fmt.Sprintf(`{"name":"c%d","image":"j:1","command":["java","-Xmx1g","-jar","a"]}`, i)
		}
		return fmt.Sprintf(`{"name":"c%d"}`, i)
	}))
}

// TestRepairOfManyIsBounded: each proof is another review of the whole object. One repair at fault
// among many costs few of them, wherever it stands, and the others are made.
func TestRepairOfManyIsBounded(t *testing.T) {
	r := reviewer(t, withLimit())
	for _, tt := range []struct {
		name   string
		n      int
		faulty []int
		proofs int
	}{
		{"none", 250, nil, 1},
		{"the last", 250, []int{249}, 2},
		{"the first", 250, []int{0}, 2},
		{"three", 250, []int{3, 100, 249}, 8},
		{"all", 3, []int{0, 1, 2}, 5},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := subject(t, review.Create, podWithFaulty(tt.n, tt.faulty...), "")
			d, err := r.Review(t.Context(), s)
			if err != nil || d.Unfinished != "" {
				t.Fatal(err, d.Unfinished)
			}
			got, err := r.Repair(t.Context(), s, d)
			if err != nil {
				t.Fatal(err)
			}
			var withheld []string
			for _, f := range got.Withheld {
				withheld = append(withheld, f.Container)
			}
			var want []string
			for _, i := range tt.faulty {
				want = append(want, fmt.Sprintf("c%d", i))
			}
			if diff := cmp.Diff(want, withheld); diff != "" || len(got.Patch) != tt.n-len(tt.faulty) || len(got.Findings) != len(got.Patch) {
				t.Errorf("%d operations, %d findings of %d; withheld (-want +got):\n%s", len(got.Patch), len(got.Findings), tt.n, diff)
			}
			if got.Proofs > tt.proofs {
				t.Errorf("%d proofs, want at most %d", got.Proofs, tt.proofs)
			}
			for _, e := range got.Errors {
				if !strings.Contains(e.Err.Error(), "the repair is withheld: the patched object has a new finding of memory-ceiling-exceeds-limit") {
					t.Errorf("withheld: %v", e.Err)
				}
			}
		})
	}
}

// A budget that is spent by the proofs withholds what was not proved, and says so.
func TestRepairSpendsTheBudgetOfTheReview(t *testing.T) {
	r := reviewer(t, withLimit())
	s := subject(t, review.Create, podWithFaulty(20, 4), "")
	d, err := r.WithSteps(budget.Unlimited).Review(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	short := r.WithSteps(d.Steps * 3 / 2)
	if d, err = short.Review(t.Context(), s); err != nil || d.Unfinished != "" {
		t.Fatal(err, d.Unfinished)
	}
	got, err := short.Repair(t.Context(), s, d)
	if err != nil || len(got.Patch) != 0 || len(got.Withheld) != 20 || got.Proofs > 2 {
		t.Fatalf("%d operations, %d withheld, %d proofs, %v", len(got.Patch), len(got.Withheld), got.Proofs, err)
	}
	if want := "the repair is withheld: its proof takes more steps than are left for the object"; got.Errors[0].Err.Error() != want {
		t.Errorf("withheld: %v", got.Errors[0].Err)
	}
}

// Each patch is proved together with others; those that are not sound are found among them.
func TestProposeIsBounded(t *testing.T) {
	r := reviewer(t, withLimit())
	s := subject(t, review.Create, podWithFaulty(300, 299), "")
	d, err := r.Review(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	proofs := review.CountProofs(t.Context(), r, s, &d)
	if proofs > 4 {
		t.Errorf("%d proofs", proofs)
	}
	for _, f := range d.Findings {
		if f.Rule != "memory-limit-missing" {
			continue
		}
		want := 1
		if f.Container == "c299" {
			want = 0
		}
		if len(f.Patch) != want {
			t.Errorf("%s has %d operations", f.Container, len(f.Patch))
		}
	}
}

// What would take much memory as a tree of values is not repaired, and its findings stand.
func TestTooLargeToRepair(t *testing.T) {
	r := reviewer(t, withLimit())
	s := subject(t, review.Create, podOf(`{"name":"c","image":"web:1"}`), "")
	for _, tt := range []struct {
		unknown int
		patched int
	}{{100_000, 1}, {900_000, 0}} {
		large := s
		large.Object = []byte(strings.Replace(string(s.Object), `"name":"c"`, `"name":"c","new":[`+strings.Repeat(`0,`, tt.unknown)+`0]`, 1))
		d, err := r.Review(t.Context(), large)
		if err != nil || len(d.Findings) == 0 {
			t.Fatal(err, len(d.Findings))
		}
		repaired, err := r.Repair(t.Context(), large, d)
		if err != nil || len(repaired.Patch) != tt.patched || len(repaired.Errors) != 1-tt.patched {
			t.Errorf("%d values: %v, %v, %v", tt.unknown, repaired.Patch, repaired.Errors, err)
		}
	}
}
