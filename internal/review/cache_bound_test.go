package review

import (
	"fmt"
	"strings"
	"testing"

	"github.com/forestall/forestall/internal/budget"
	"github.com/forestall/forestall/internal/finding"
)

// TestCacheIsBounded, and what is taken out cannot change what is kept.
func TestCacheIsBounded(t *testing.T) {
	c := NewCache()
	named := func(rule string) []finding.Finding { return []finding.Finding{{Rule: rule}} }
	for i := range maxKept + 10 {
		c.put(digest{byte(i), byte(i >> 8)}, named(fmt.Sprint(i)), 1)
	}
	if _, ok := c.get(digest{}, new(budget.Budget)); ok || c.answers.Len() != maxKept {
		t.Errorf("%d answers are kept, the oldest among them: %t", c.answers.Len(), ok)
	}
	last := digest{byte((maxKept + 9) & 0xff), byte((maxKept + 9) >> 8)}
	first, ok := c.get(last, new(budget.Budget))
	if !ok || first[0].Rule != fmt.Sprint(maxKept+9) {
		t.Fatalf("got %v, %t", first, ok)
	}
	large := named("r")
	large[0].Repairs = []finding.Repair{{Value: []string{strings.Repeat("x", maxKeptBytes)}}}
	c.put(digest{0, 0, 1}, large, 1)
	if _, ok := c.get(digest{0, 0, 1}, new(budget.Budget)); ok {
		t.Error("an answer of any size is kept")
	}
	if got, want := c.Counts(), (CacheCounts{Hits: 1, Misses: 2, Entries: maxKept}); got != want {
		t.Errorf("counted %+v, want %+v", got, want)
	}
	first[0].Rule = "changed"
	if second, _ := c.get(last, new(budget.Budget)); second[0].Rule != fmt.Sprint(maxKept+9) {
		t.Error("a reader changed what is kept")
	}
}
