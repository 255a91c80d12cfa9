package review_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/builtin"
	"github.com/forestall/forestall/internal/cluster"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/review"
)

const (
	noLimit = "memory-limit-missing"
	because = "ignore.forestall.dev/" + noLimit
)

// annotated is a Deployment without a limit, with annotations of the object and of the pod template.
func annotated(object, template string) string {
	return strings.NewReplacer("OBJECT", object, "TEMPLATE", template).Replace(`
apiVersion: apps/v1
kind: Deployment
metadata: {name: shop, annotations: {OBJECT}}
spec:
  selector: {matchLabels: {app: shop}}
  template:
    metadata: {labels: {app: shop}, annotations: {TEMPLATE}}
    spec:
      containers:
        - {name: web, image: "web:1"}
`)
}

const annotatedPod = `
apiVersion: v1
kind: Pod
metadata: {name: shop, annotations: {ignore.forestall.dev/memory-limit-missing: alone}}
spec:
  containers:
    - {name: web, image: "web:1"}
`

// sifted is what becomes of the findings of an object.
type sifted struct {
	// Told and Ignored are rules with the level, and the reason.
	Told, Ignored []string
	Notices       []review.Notice
	Skipped       string
}

func siftedBy(t *testing.T, r *review.Reviewer, s review.Subject) sifted {
	t.Helper()
	d, err := r.Review(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	out := sifted{Notices: d.Notices, Skipped: d.Skipped}
	for _, f := range d.Findings {
		out.Told = append(out.Told, f.Rule+" "+string(f.Level))
	}
	for _, i := range d.Ignored {
		out.Ignored = append(out.Ignored, i.Rule+" "+string(i.Level)+": "+i.IgnoreReason)
	}
	return out
}

func TestIgnoreAnnotations(t *testing.T) {
	const denied = noLimit + " deny"
	on, off := reviewer(t, review.Settings{IgnoreAnnotations: true}), reviewer(t, review.Settings{})
	notice := func(path, name, text string) []review.Notice {
		return []review.Notice{{Path: path + "[" + name + "]", Text: name + text}}
	}
	const template = "spec.template.metadata.annotations"
	for _, tt := range []struct {
		name     string
		reviewer *review.Reviewer
		object   string
		want     sifted
	}{
		{name: "without", reviewer: on, object: annotated("", ""), want: sifted{Told: []string{denied}}},
		{name: "on the object", reviewer: on, object: annotated(because+": alone", ""), want: sifted{Ignored: []string{denied + ": alone"}}},
		{name: "on the template", reviewer: on, object: annotated("", because+`: " alone\n"`), want: sifted{Ignored: []string{denied + ": alone"}}},
		{name: "on both", reviewer: on, object: annotated(because+": object", because+": template"), want: sifted{Ignored: []string{denied + ": template"}}},
		{name: "on a Pod", reviewer: on, object: annotatedPod, want: sifted{Ignored: []string{denied + ": alone"}}},
		{name: "another rule", reviewer: on, object: annotated("ignore.forestall.dev/command-exits: alone", ""), want: sifted{Told: []string{denied}}},
		{
			name: "no reason", reviewer: on, object: annotated("", because+`: " "`),
			want: sifted{Told: []string{denied}, Notices: notice(template, because, " does not count: its value must give the reason")},
		},
		{
			name: "no reason at one place", reviewer: on, object: annotated(because+": alone", because+`: ""`),
			want: sifted{Ignored: []string{denied + ": alone"}, Notices: notice(template, because, " does not count: its value must give the reason")},
		},
		{
			name: "a typo", reviewer: on, object: annotated("ignore.forestall.dev/memory-limit-mising: alone", ""),
			want: sifted{Told: []string{denied}, Notices: notice(
				"metadata.annotations", "ignore.forestall.dev/memory-limit-mising", ": there is no such rule: did you mean memory-limit-missing?",
			)},
		},
		{
			name: "a very long name", reviewer: on, object: annotated("ignore.forestall.dev/"+strings.Repeat("a", 64)+": alone", ""),
			want: sifted{Told: []string{denied}, Notices: notice("metadata.annotations", "ignore.forestall.dev/...", ": there is no such rule")},
		},
		{
			name: "not in force", reviewer: off, object: annotated(because+": alone", ""),
			want: sifted{Told: []string{denied}, Notices: notice(
				"metadata.annotations", because, " does not count here: ignoreAnnotations in the configuration",
			)},
		},
		{name: "not in force, about nothing", reviewer: off, object: annotated("ignore.forestall.dev/nonsense: x", ""), want: sifted{Told: []string{denied}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, op := range []review.Operation{review.Audit, review.Create} {
				if diff := cmp.Diff(tt.want, siftedBy(t, tt.reviewer, subject(t, op, tt.object, ""))); diff != "" {
					t.Errorf("%s (-want +got):\n%s", op, diff)
				}
			}
		})
	}
}

// TestIgnoredRuleHidesNoOther: what has the same cause speaks for itself.
func TestIgnoredRuleHidesNoOther(t *testing.T) {
	object := func(annotation string) string {
		return strings.ReplaceAll(`
apiVersion: v1
kind: Pod
metadata: {name: shop, annotations: {ANNOTATION}}
spec:
  containers:
    - {name: web, image: "redis:7.2", resources: {limits: {memory: 64}}}
`, "ANNOTATION", annotation)
	}
	r := reviewer(t, review.Settings{IgnoreAnnotations: true})
	for annotation, want := range map[string]sifted{
		"": {Told: []string{"memory-limit-below-floor deny"}},
		"ignore.forestall.dev/memory-limit-below-floor: measured": {
			Told: []string{"memory-limit-below-known-need warn"}, Ignored: []string{"memory-limit-below-floor deny: measured"},
		},
	} {
		if diff := cmp.Diff(want, siftedBy(t, r, subject(t, review.Audit, object(annotation), ""))); diff != "" {
			t.Errorf("%q (-want +got):\n%s", annotation, diff)
		}
	}
}

// TestIgnoreAnnotationsOnUpdate: the stored object has the fault too, so taking the annotation away warns and
// denies nothing. Where annotations do not count, changing them is no change.
func TestIgnoreAnnotationsOnUpdate(t *testing.T) {
	const skipped = "the update changes nothing that rules judge"
	on, off := reviewer(t, review.Settings{IgnoreAnnotations: true}), reviewer(t, review.Settings{})
	with, without := annotated(because+": alone", ""), annotated("", "")
	for _, tt := range []struct {
		name     string
		reviewer *review.Reviewer
		old, new string
		want     sifted
	}{
		{"removed", on, with, without, sifted{Told: []string{noLimit + " warn"}}},
		{"added", on, without, with, sifted{Ignored: []string{noLimit + " warn: alone"}}},
		{"kept", on, with, with, sifted{Skipped: skipped}},
		{"changed where it does not count", off, with, without, sifted{Skipped: skipped}},
		{"moved to the template", on, with, annotated("", because+": alone"), sifted{Ignored: []string{noLimit + " warn: alone"}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := siftedBy(t, tt.reviewer, subject(t, review.Update, tt.new, tt.old))
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestIgnoringIsNotKept: what rules find is kept, and what annotations make of it is not.
func TestIgnoringIsNotKept(t *testing.T) {
	build, err := builtin.Reviewers(t.Context(), cluster.OfFiles(true), review.NewCache())
	if err != nil {
		t.Fatal(err)
	}
	off, err := build(review.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	on, err := build(review.Settings{IgnoreAnnotations: true})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		for object, want := range map[string]sifted{
			annotated(because+": one", ""):   {Ignored: []string{noLimit + " deny: one"}},
			annotated(because+": other", ""): {Ignored: []string{noLimit + " deny: other"}},
			annotated("", ""):                {Told: []string{noLimit + " deny"}},
		} {
			s := subject(t, review.Create, object, "")
			if diff := cmp.Diff(want, siftedBy(t, on, s)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", object, diff)
			}
			if got := siftedBy(t, off, s); len(got.Told) != 1 || len(got.Ignored) > 0 {
				t.Errorf("%s where annotations do not count: %+v", object, got)
			}
		}
	}
}

func TestIgnoredIsNotRepaired(t *testing.T) {
	r := reviewer(t, review.Settings{IgnoreAnnotations: true, Params: map[string]map[string]any{noLimit: {"defaultLimit": "64Mi"}}})
	for object, want := range map[string]int{annotated("", ""): 1, annotated(because+": alone", ""): 0} {
		s := subject(t, review.Create, object, "")
		d, err := r.Review(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		repaired, err := r.Repair(t.Context(), s, d)
		if err != nil || len(repaired.Findings) != want || len(repaired.Withheld) > 0 {
			t.Errorf("%s: %d repairs, want %d; %v", object, len(repaired.Findings), want, err)
		}
	}
}

// TestOnlyAndExcept choose what is told, and are no rules of their own.
func TestOnlyAndExcept(t *testing.T) {
	object := strings.ReplaceAll(annotated("", ""), `"web:1"`, `"busybox:1.37", command: [echo, done]`)
	for _, tt := range []struct {
		settings review.Settings
		want     []string
	}{
		{review.Settings{}, []string{"command-exits deny", noLimit + " deny"}},
		{review.Settings{Only: []string{noLimit}}, []string{noLimit + " deny"}},
		{review.Settings{Only: []string{"command-exits", noLimit}, Except: []string{noLimit}}, []string{"command-exits deny"}},
		{review.Settings{Except: []string{"command-exits"}, Levels: map[string]finding.Level{noLimit: finding.Warn}}, []string{noLimit + " warn"}},
	} {
		got := siftedBy(t, reviewer(t, tt.settings), subject(t, review.Audit, object, ""))
		if diff := cmp.Diff(sifted{Told: tt.want}, got); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", tt.settings, diff)
		}
	}
}
