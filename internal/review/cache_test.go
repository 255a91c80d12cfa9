package review_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"sigs.k8s.io/yaml"

	"github.com/forestall/forestall/internal/builtin"
	"github.com/forestall/forestall/internal/cluster"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/review"
)

// caching returns what makes Reviewers with the built-in rules that share a cache.
func caching(t testing.TB, store *cluster.Store, cache *review.Cache) func(review.Settings) *review.Reviewer {
	t.Helper()
	build, err := builtin.Reviewers(t.Context(), store, cache)
	if err != nil {
		t.Fatal(err)
	}
	return func(s review.Settings) *review.Reviewer {
		r, err := build(s)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
}

func judge(t testing.TB, r *review.Reviewer, s review.Subject) verdict {
	t.Helper()
	d, err := r.Review(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return verdictOf(d)
}

// TestCache: which reviews know the answer of the one before.
func TestCache(t *testing.T) {
	services := cluster.OfFiles(true)
	cache := review.NewCache()
	build := caching(t, services, cache)
	r := build(review.Settings{})
	first := subject(t, review.Create, pod, "")
	want := judge(t, r, first)
	if len(want.Findings) != 1 {
		t.Fatalf("findings: %+v", want.Findings)
	}
	renamed := subject(t, review.Create, strings.Replace(pod, "name: shop", "name: shop-2, uid: u, resourceVersion: '7'", 1), "")
	by := first
	by.User, by.DryRun = "jane", true
	for name, s := range map[string]review.Subject{"the same": first, "another name": renamed, "another user": by} {
		if diff := cmp.Diff(want, judge(t, r, s)); diff != "" {
			t.Errorf("%s (-first +now):\n%s", name, diff)
		}
	}
	if got, want := cache.Counts(), (review.CacheCounts{Hits: 3, Misses: 1, Entries: 1}); got != want {
		t.Fatalf("%+v, want %+v", got, want)
	}

	elsewhere, audited := first, first
	elsewhere.Namespace = "other"
	audited.Operation = review.Audit
	for name, s := range map[string]review.Subject{
		"another namespace": elsewhere,
		"an audit":          audited,
		"another image":     subject(t, review.Create, strings.Replace(pod, "web:1", "web:2", 1), ""),
		"a label":           subject(t, review.Create, strings.Replace(pod, "name: shop", "name: shop, labels: {app: shop}", 1), ""),
	} {
		before := cache.Counts().Misses
		judge(t, r, s)
		if cache.Counts().Misses != before+1 {
			t.Errorf("%s is known already", name)
		}
	}
	before := cache.Counts().Misses
	judge(t, build(review.Settings{Levels: map[string]finding.Level{"memory-limit-missing": finding.Off}}), first)
	service := `{"metadata":{"name":"shop","namespace":"default"},"spec":{"selector":{"app":"shop"}}}`
	if err := services.Add("v1", "Service", []byte(service)); err != nil {
		t.Fatal(err)
	}
	judge(t, r, subject(t, review.Create, strings.Replace(pod, "name: shop", "name: shop, labels: {app: shop}", 1), ""))
	if got := cache.Counts().Misses; got != before+2 {
		t.Errorf("%d misses after other settings and another Service, want 2", got-before)
	}
	if err := services.Add("v1", "Service", []byte(strings.Replace(service, "default", "elsewhere", 1))); err != nil {
		t.Fatal(err)
	}
	judge(t, r, subject(t, review.Create, strings.Replace(pod, "name: shop", "name: shop, labels: {app: shop}", 1), ""))
	if got := cache.Counts().Misses; got != before+2 {
		t.Errorf("%d more misses after a Service of another namespace", got-before-2)
	}
}

// TestCacheOfTellingRules: where a rule can read who sent an object, nobody gets
// the answer that was made for another.
func TestCacheOfTellingRules(t *testing.T) {
	cache := review.NewCache()
	r, err := review.New(review.Options{
		Engine: engine(t, map[string]string{"sent-by-jane": alone("sent-by-jane", `input.request.user == "jane"`)}), Cache: cache,
	})
	if err != nil {
		t.Fatal(err)
	}
	for user, findings := range map[string]int{"jane": 1, "joe": 0} {
		s := subject(t, review.Create, pod, "")
		s.User = user
		for range 2 {
			if got := judge(t, r, s); len(got.Findings) != findings {
				t.Errorf("%s: %+v, want %d findings", user, got.Findings, findings)
			}
		}
	}
	if got, want := cache.Counts(), (review.CacheCounts{Hits: 2, Misses: 2, Entries: 2}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// reviewerOf returns a Reviewer that asks these rules, in a world without anything else.
func reviewerOf(t *testing.T, rules *builtin.Rules, cache *review.Cache) *review.Reviewer {
	t.Helper()
	r, err := rules.Reviewers(cluster.OfFiles(true), cache)(review.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestTellingRulesKeepToThemselves: a rule that reads names does not keep the others from
// sharing what they found, and one that reads labels is one of the others.
func TestTellingRulesKeepToThemselves(t *testing.T) {
	all := func(string) bool { return true }
	rules, err := builtin.RulesOf(t.Context(), withRules(t, all, map[string]string{
		"named-two":     alone("named-two", `input.workload.name == "shop-2"`),
		"labelled-shop": alone("labelled-shop", `input.pod.metadata.labels.app == "shop"`),
	}))
	if err != nil {
		t.Fatal(err)
	}
	cache := review.NewCache()
	cached, plain := reviewerOf(t, rules, cache), reviewerOf(t, rules, nil)
	labelled := strings.Replace(pod, "{name: shop}", "{name: shop, labels: {app: shop}}", 1)
	first, second := subject(t, review.Create, labelled, ""), subject(t, review.Create, strings.Replace(labelled, "shop,", "shop-2,", 1), "")
	for _, step := range []struct {
		name    string
		subject review.Subject
		rules   []string
		counts  review.CacheCounts
	}{
		{"first", first, []string{"labelled-shop", "memory-limit-missing"}, review.CacheCounts{Misses: 2, Entries: 2}},
		{"renamed", second, []string{"labelled-shop", "named-two", "memory-limit-missing"}, review.CacheCounts{Hits: 1, Misses: 3, Entries: 3}},
		{"first again", first, []string{"labelled-shop", "memory-limit-missing"}, review.CacheCounts{Hits: 3, Misses: 3, Entries: 3}},
		{"renamed again", second, []string{"labelled-shop", "named-two", "memory-limit-missing"}, review.CacheCounts{Hits: 5, Misses: 3, Entries: 3}},
	} {
		got := judge(t, cached, step.subject)
		var ids []string
		for _, f := range got.Findings {
			ids = append(ids, f.Rule)
		}
		if diff := cmp.Diff(step.rules, ids); diff != "" {
			t.Errorf("%s (-want +got):\n%s", step.name, diff)
		}
		if diff := cmp.Diff(judge(t, plain, step.subject), got); diff != "" {
			t.Errorf("%s (-without +with):\n%s", step.name, diff)
		}
		if got := cache.Counts(); got != step.counts {
			t.Errorf("%s: %+v, want %+v", step.name, got, step.counts)
		}
	}
}

// TestCacheChangesNothing holds decisions about every example with what is kept against
// those without, with their texts and patches.
func TestCacheChangesNothing(t *testing.T) {
	paths, err := filepath.Glob("../../examples/*.yaml")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	settings := review.Settings{Params: map[string]map[string]any{"memory-limit-missing": {"defaultLimit": "256Mi"}}}
	plain, cached := reviewer(t, settings), caching(t, cluster.OfFiles(true), review.NewCache())(settings)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, document := range strings.Split(string(text), "\n---\n") {
			var any map[string]any
			if err := yaml.Unmarshal([]byte(document), &any); err != nil || any["kind"] == nil {
				continue
			}
			s := subject(t, review.Create, document, "")
			want := decide(t, plain, s)
			for _, when := range []string{"at first", "again"} {
				if diff := cmp.Diff(want, decide(t, cached, s), cmpopts.IgnoreUnexported(review.Decision{})); diff != "" {
					t.Errorf("%s, %s (-without +with):\n%s", path, when, diff)
				}
			}
		}
	}
}

type decided struct {
	review.Decision
	Repaired review.Repaired
}

func decide(t *testing.T, r *review.Reviewer, s review.Subject) decided {
	t.Helper()
	d, err := r.Review(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	repaired, err := r.Repair(t.Context(), s, d)
	if err != nil {
		t.Fatal(err)
	}
	return decided{d, repaired}
}
