package review_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"sigs.k8s.io/yaml"

	"github.com/forestall/forestall/internal/builtin"
	"github.com/forestall/forestall/internal/cluster"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/policy"
	"github.com/forestall/forestall/internal/review"
	"github.com/forestall/forestall/policies"
)

// caching returns what makes Reviewers with the built-in rules that share a cache.
func caching(t testing.TB, source cluster.Source, cache *review.Cache) func(review.Settings) *review.Reviewer {
	t.Helper()
	engine, err := builtin.Engine(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	build, err := builtin.Reviewers(engine, source, cache)
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
	services := &cluster.Static{}
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
}

// TestCacheOfTellingRules: where a rule can read who sent an object, nobody gets
// the answer that was made for another.
func TestCacheOfTellingRules(t *testing.T) {
	const body = `# METADATA
# title: Sent by jane
# description: For tests.
# custom:
#   category: test
#   concern: test
#   certainty: certain
#   judges:
#     - {of: container, fact: image, state: present}
#   failure: none
#   remediation: None.
#   since: v0.1.0
package forestall.rules["sent-by-jane"]

import data.forestall.lib.result

report contains result.finding(rego.metadata.chain(), {
	"container": "web", "path": "spec", "reason": "r", "what": "w", "why": "y", "fix": "f",
}) if {
	input.request.user == "jane"
}
`
	bundle := fstest.MapFS{}
	for _, name := range []string{policy.SchemaFile, "forestall/lib/result/result.rego", "forestall/rules/rules.rego"} {
		raw, err := fs.ReadFile(policies.FS, name)
		if err != nil {
			t.Fatal(err)
		}
		bundle[name] = &fstest.MapFile{Data: raw}
	}
	bundle["forestall/rules/sent-by-jane/rule.rego"] = &fstest.MapFile{Data: []byte(body)}
	engine, err := policy.Load(t.Context(), bundle)
	if err != nil {
		t.Fatal(err)
	}
	cache := review.NewCache()
	r, err := review.New(review.Options{Engine: engine, Cache: cache})
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

// TestCacheChangesNothing holds decisions about every example with what is kept against
// those without, with their texts and patches.
func TestCacheChangesNothing(t *testing.T) {
	paths, err := filepath.Glob("../../examples/*.yaml")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	settings := review.Settings{Params: map[string]map[string]any{"memory-limit-missing": {"defaultLimit": "256Mi"}}}
	plain, cached := reviewer(t, settings), caching(t, nil, review.NewCache())(settings)
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
