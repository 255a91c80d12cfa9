package policy

import (
	"fmt"
	"testing"

	"github.com/forestall/forestall/internal/cluster"
	"github.com/forestall/forestall/internal/facts"
	"github.com/forestall/forestall/internal/facts/fact"
)

// TestDigest: whatever a rule can read makes another digest, and nothing else does.
func TestDigest(t *testing.T) {
	rules := []Rule{{ID: "a"}, {ID: "b"}}
	read := sections{"containers": nil, "workload": {"kind": {}}, "params": nil, "cluster": {"services": {}}}
	d := newDocument().view(read)
	of := func(rules []Rule, change func(*Input)) digest {
		in := &Input{
			Containers: []facts.Container{{Name: "web"}, {Name: "cache"}}, Workload: facts.Workload{Kind: "Pod", Name: "web"},
			Params: map[string]map[string]any{"a": {"limit": 1}}, Cluster: cluster.Context{Services: []string{"ab", "c"}},
		}
		change(in)
		got, err := d.digest(in, rules)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	base := of(rules, func(*Input) {})
	for name, change := range map[string]func(*Input){
		"nothing":            func(*Input) {},
		"the name":           func(in *Input) { in.Workload.Name = "other" },
		"an unread section":  func(in *Input) { in.Version = "v9" },
		"an unread part":     func(in *Input) { in.Cluster.DefaultMemoryLimit = &cluster.LimitRangeDefault{Text: "1Gi"} },
		"the request's user": func(in *Input) { in.Request.User = "jane" },
	} {
		if of(rules, change) != base {
			t.Errorf("%s makes another digest", name)
		}
	}
	seen := map[digest]string{base: "the base"}
	for name, change := range map[string]func(*Input){
		"the kind":           func(in *Input) { in.Workload.Kind = "Job" },
		"a container's name": func(in *Input) { in.Containers[0].Name = "webc" },
		"fewer containers":   func(in *Input) { in.Containers = in.Containers[:1] },
		"no containers":      func(in *Input) { in.Containers = nil },
		"an observation":     func(in *Input) { in.Containers[1].RestartAlways = fact.PresentAt("spec") },
		"where texts end":    func(in *Input) { in.Cluster.Services = []string{"a", "bc"} },
		"a parameter":        func(in *Input) { in.Params["a"]["limit"] = 2 },
		"a parameter's name": func(in *Input) { in.Params["a"] = map[string]any{"limits": 1} },
	} {
		got := of(rules, change)
		if other, ok := seen[got]; ok {
			t.Errorf("%s and %s make the same digest", name, other)
		}
		seen[got] = name
	}
	if of(rules[:1], func(*Input) {}) == base {
		t.Error("other rules make the same digest")
	}
}

// TestKnownIsBounded, and what is taken out cannot change what is kept.
func TestKnownIsBounded(t *testing.T) {
	k := newKnown()
	for i := range maxKnown + 10 {
		k.put(digest{byte(i), byte(i >> 8)}, []Finding{{Rule: fmt.Sprint(i)}})
	}
	if _, ok := k.get(digest{}); ok || k.answers.Len() != maxKnown {
		t.Errorf("%d answers are kept, the oldest among them: %t", k.answers.Len(), ok)
	}
	last := digest{byte((maxKnown + 9) & 0xff), byte((maxKnown + 9) >> 8)}
	first, ok := k.get(last)
	if !ok || first[0].Rule != fmt.Sprint(maxKnown+9) {
		t.Fatalf("got %v, %t", first, ok)
	}
	k.put(digest{0, 0, 1}, make([]Finding, maxKnownFindings+1))
	if _, ok := k.get(digest{0, 0, 1}); ok {
		t.Error("an answer of any size is kept")
	}
	if got, want := k.counts(), (CacheCounts{Hits: 1, Misses: 2, Entries: maxKnown}); got != want {
		t.Errorf("counted %+v, want %+v", got, want)
	}
	first[0].Rule = "changed"
	if second, _ := k.get(last); second[0].Rule != fmt.Sprint(maxKnown+9) {
		t.Error("a reader changed what is kept")
	}
}
