package agree_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// A difference that there must be, since one of the sources cannot know something. It is named here, and nowhere else.
type known struct {
	why string
	// of reports whether a verdict that one of them gives and the other does not is such a difference.
	of func(w *world, v verdict) bool
}

// everywhere are differences between files and what an API server has taken.
func everywhere() []known {
	return []known{
		{"the API server refuses it or drops it, and stores what stands twice once", func(_ *world, v verdict) bool {
			return slices.Contains([]string{"kind-not-served", "field-unknown", "field-repeated"}, v.Rule)
		}},
		{"the API server writes fractions of a byte in its own way (100u as 1m, 512000m as 512)", func(w *world, v verdict) bool {
			return w.rewritten[v.Object] && slices.Contains([]string{"memory-quantity-milli", "memory-limit-below-floor"}, v.Rule)
		}},
		{"in a file a tool may still fill in the image; in a cluster none will", func(_ *world, v verdict) bool {
			return v.Rule == "image-reference-invalid" && strings.Contains(v.Reason, "ko://")
		}},
	}
}

// ofTheWebhook are differences between audits and the webhook.
func ofTheWebhook() []known {
	return append(everywhere(), []known{
		{"the webhook is not asked about Services", func(_ *world, v verdict) bool { return strings.HasPrefix(v.Object, "Service/") }},
		{"what runs nothing is told by audits alone", func(w *world, v verdict) bool { return w.idle[v] }},
	}...)
}

// least is how many findings of each must be compared for the test to say something.
const least = 100

// report fails the test with every difference that is not known, and tells how much was compared.
func report(t *testing.T, worlds []*world) {
	t.Helper()
	compared, expected, refused := map[string]int{}, map[string]int{}, 0
	for _, w := range worlds {
		refused += len(w.refused)
		compared["files"] += len(w.files)
		compared["cluster"] += len(w.cluster)
		compared["webhook"] += len(w.webhook)
		for _, d := range []struct {
			who   string
			found []verdict
			known []known
		}{{"the audit of the cluster", w.cluster, everywhere()}, {"the webhook", w.webhook, ofTheWebhook()}} {
			for _, text := range w.differences(d.who, d.found, d.known, expected) {
				t.Errorf("%s: %s", w.file, text)
			}
		}
	}
	t.Logf("%d worlds, %d objects that the API server refuses, findings: %v, differences that must be: %v", len(worlds), refused, compared, expected)
	for who, n := range compared {
		if n < least {
			t.Errorf("%s: only %d findings were compared", who, n)
		}
	}
}

// differences compares the verdicts of files with those of another. It counts those that must be.
func (w *world) differences(who string, others []verdict, all []known, expected map[string]int) []string {
	var found []string
	tell := func(v verdict, text string) {
		at := slices.IndexFunc(all, func(k known) bool { return k.of(w, v) })
		if at < 0 {
			found = append(found, who+" "+text+" "+v.String())
			return
		}
		expected[all[at].why]++
	}
	for _, v := range without(w.files, others) {
		tell(v, "does not say")
	}
	for _, v := range without(others, w.files) {
		tell(v, "alone says")
	}
	return found
}

// without returns the verdicts that are not among the others. One that is given twice must be there twice.
func without(verdicts, others []verdict) []verdict {
	rest := map[verdict]int{}
	for _, v := range others {
		rest[v]++
	}
	var all []verdict
	for _, v := range verdicts {
		if rest[v]--; rest[v] < 0 {
			all = append(all, v)
		}
	}
	slices.SortFunc(all, compareVerdicts)
	return all
}

func (v verdict) String() string {
	return fmt.Sprintf("%s: %s at %s: %s", v.Object, v.Rule, v.Path, v.Reason)
}
