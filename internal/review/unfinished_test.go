package review_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/forestall/forestall/internal/budget"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/review"
)

const tooLarge = "the object is too large to be judged whole"

// largePod has a container that is denied for two reasons, before many others.
func largePod(image string, n int) string {
	return podOf(`{"name":"victim","image":"` + image + `","command":["sleep 1000"]},` +
		listed(n, func(i int) string {
			return fmt.Sprintf(`{"name":"c%d","image":"web:1","command":["sh","-c","a;b;c;d"]}`, i)
		}))
}

// With any budget the findings are some of those that are there, none is invented, and the same
// budget finds the same, whatever the operation. What was found denies.
func TestUnfinishedFindsLess(t *testing.T) {
	r := reviewer(t, withLimit())
	s := subject(t, review.Create, largePod("Shop", 200), "")
	whole, err := r.WithSteps(budget.Unlimited).Review(t.Context(), s)
	if err != nil || whole.Unfinished != "" {
		t.Fatal(err, whole.Unfinished)
	}
	all := map[finding.Identity]string{}
	for _, f := range whole.Findings {
		all[f.Identity()] = f.Reason
	}
	partly := false
	for part := range int64(20) {
		small := r.WithSteps(1 + whole.Steps*part/20)
		d, err := small.Review(t.Context(), s)
		if err != nil || len(d.Errors) > 0 || d.Unfinished != tooLarge {
			t.Fatalf("%d/20 of the steps: %v, rule errors %v, unfinished %q", part, err, d.Errors, d.Unfinished)
		}
		for _, f := range d.Findings {
			if all[f.Identity()] != f.Reason {
				t.Errorf("%d/20 of the steps: %s says %q; with all of them %q", part, f.Path, f.Reason, all[f.Identity()])
			}
		}
		partly = partly || len(d.Findings) > 0 && len(d.Findings) < len(whole.Findings) && d.Denied()
		audited := s
		audited.Operation = review.Audit
		again, err := small.Review(t.Context(), audited)
		if diff := cmp.Diff(verdictOf(d), verdictOf(again)); diff != "" || err != nil || again.Steps != d.Steps {
			t.Errorf("%d/20 of the steps: %d and %d, %v (-create +audit):\n%s", part, d.Steps, again.Steps, err, diff)
		}
		repaired, err := small.Repair(t.Context(), s, d)
		if err != nil || len(repaired.Patch) > 0 || repaired.Proofs > 0 {
			t.Errorf("%d/20 of the steps: repaired by %v, %v", part, repaired.Patch, err)
		}
	}
	if !partly {
		t.Error("no budget finds a part and denies")
	}
}

// A finding that may have been there before is not denied: where the stored object cannot be judged
// whole, that is all of them.
func TestUnfinishedBefore(t *testing.T) {
	r := reviewer(t, review.Settings{})
	s := subject(t, review.Update, strings.Replace(deployment, "web:1", "web:2", 1), "")
	s.OldObject = toJSON(t, strings.Replace(deployment, "containers:\n", "containers:\n"+
		"        - {name: large, image: l, command: [sh, -c, '"+strings.Repeat("a;", 10_000)+"']}\n", 1))
	alone := s
	alone.OldObject = nil
	now, err := r.Review(t.Context(), alone)
	if err != nil || !now.Denied() {
		t.Fatal("it is not denied on its own", err)
	}
	d, err := r.WithSteps(4*now.Steps+int64(len(s.OldObject)/16)).Review(t.Context(), s)
	if err != nil || d.Unfinished != tooLarge || len(d.Findings) == 0 || d.Denied() {
		t.Errorf("%v, unfinished %q, %+v", err, d.Unfinished, verdictOf(d))
	}
}

// The cache keeps no part of an answer, and an answer that is kept costs what it cost.
func TestUnfinishedIsNotKept(t *testing.T) {
	cache := review.NewCache()
	kept := caching(t, nil, cache)(withLimit())
	s := subject(t, review.Create, largePod("shop", 20), "")
	large, small := kept.WithSteps(budget.Unlimited), kept.WithSteps(4_000)
	for range 2 {
		if d, err := small.Review(t.Context(), s); err != nil || d.Unfinished == "" || cache.Counts().Entries != 0 {
			t.Fatalf("%v, unfinished %q, %d entries", err, d.Unfinished, cache.Counts().Entries)
		}
	}
	first, err := large.Review(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	second, err := large.Review(t.Context(), s)
	if diff := cmp.Diff(first, second, cmpopts.IgnoreUnexported(review.Decision{})); diff != "" || err != nil || cache.Counts().Hits != 1 {
		t.Errorf("%d hits, %v (-looked at +kept):\n%s", cache.Counts().Hits, err, diff)
	}
	if d, err := small.Review(t.Context(), s); err != nil || d.Unfinished == "" {
		t.Errorf("what is kept makes a small budget suffice: %v", err)
	}
}

// ending is a context that ends when it has been looked at so often.
type ending struct {
	context.Context
	after, looks int
}

func (e *ending) Err() error {
	if e.looks++; e.looks > e.after {
		return context.DeadlineExceeded
	}
	return nil
}

// TestReviewEndsWithItsContext wherever it is: in facts, rules or proofs. The context is looked at
// every few hundred steps, and hardly again once it has ended.
func TestReviewEndsWithItsContext(t *testing.T) {
	r := reviewer(t, withLimit())
	hard := subject(t, review.Create, podWithFaulty(250, 3, 100, 200), "")
	unending := &ending{Context: t.Context(), after: 1 << 30}
	d, err := r.Review(unending, hard)
	if err != nil {
		t.Fatal(err)
	}
	alone := unending.looks
	if every := d.Steps / int64(alone); every > 1000 {
		t.Errorf("the context is looked at every %d steps", every)
	}
	if _, err := r.Repair(unending, hard, d); err != nil {
		t.Fatal(err)
	}
	all := unending.looks
	for part := range 20 {
		ctx := &ending{Context: t.Context(), after: all * part / 20}
		d, err := r.Review(ctx, hard)
		if ctx.after < alone && !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("ends at look %d of %d: Review returns %v", ctx.after, alone, err)
		}
		if err == nil {
			_, err = r.Repair(ctx, hard, d)
		}
		if !errors.Is(err, context.DeadlineExceeded) || ctx.looks > ctx.after+5 {
			t.Errorf("ends at look %d of %d: %v, looked at %d times more", ctx.after, all, err, ctx.looks-ctx.after)
		}
	}
}

// What would take too much memory is not decoded, and nothing is said of it but that. Of a stored object that is
// so large nobody knows what it had: nothing is denied that may have been there.
func TestTooLargeToDecode(t *testing.T) {
	r := reviewer(t, review.Settings{Namespaces: map[string]finding.Level{"quiet": finding.Off}})
	small, large := largePod("Shop", 1), largePod("Shop", 5000)
	for _, tt := range []struct {
		name      string
		operation review.Operation
		namespace string
		now, old  string
		want      review.Decision
		told      bool
	}{
		{name: "created", operation: review.Create, now: large, want: review.Decision{Unfinished: tooLarge}},
		{name: "audited", operation: review.Audit, now: large, want: review.Decision{Unfinished: tooLarge}},
		{name: "updated", operation: review.Update, now: large, old: small, want: review.Decision{Unfinished: tooLarge}},
		{name: "where the mode is off", operation: review.Create, namespace: "quiet", now: large, want: review.Decision{Skipped: "the mode in this namespace is off"}},
		{name: "stored", operation: review.Update, now: small, old: large, want: review.Decision{Unfinished: tooLarge}, told: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := subject(t, tt.operation, tt.now, tt.old)
			if tt.namespace != "" {
				s.Namespace = tt.namespace
			}
			d, err := r.Review(t.Context(), s)
			if err != nil || d.Denied() || (len(d.Findings) > 0) != tt.told {
				t.Errorf("%v, denied %v, %d findings", err, d.Denied(), len(d.Findings))
			}
			got := review.Decision{Unfinished: d.Unfinished, Skipped: d.Skipped}
			if diff := cmp.Diff(tt.want, got, cmpopts.IgnoreUnexported(review.Decision{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if repaired, err := r.Repair(t.Context(), s, d); err != nil || len(repaired.Patch) > 0 {
				t.Errorf("repaired by %v, %v", repaired.Patch, err)
			}
		})
	}
}
