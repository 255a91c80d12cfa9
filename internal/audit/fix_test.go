package audit_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/builtin"
	"github.com/forestall/forestall/internal/config"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/patch"
	"github.com/forestall/forestall/internal/review"
)

// withDefault makes the rules repair all that they can.
func withDefault() review.Settings {
	return review.Settings{Params: map[string]map[string]any{"memory-limit-missing": {"defaultLimit": "256Mi"}}}
}

// TestFixIsWhatTheWebhookDoes holds the texts that come out of Fix, read again,
// against what the webhook's patches make of the objects, for the manifests of all
// rules and those below FORESTALL_MANIFESTS.
func TestFixIsWhatTheWebhookDoes(t *testing.T) {
	paths, err := filepath.Glob("../../policies/forestall/rules/*/testdata/*.yaml")
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	paths = append(paths, "../../examples", "../../test/corpus")
	if dir := os.Getenv("FORESTALL_MANIFESTS"); dir != "" {
		paths = append(paths, dir)
	}
	for _, suggestions := range []bool{false, true} {
		set := load(t, audit.Options{Paths: paths, Keep: true, Namespace: "default"})
		fixed, r := fix(t, set, withDefault(), review.Selection{Suggestions: suggestions})
		after := load(t, audit.Options{Paths: unpacked(t, fixed.Files), Namespace: "default"})
		compareObjects(t, objects(t, set), objects(t, after), r, suggestions)
		if len(fixed.Made) < 5 {
			t.Errorf("only %d findings were repaired", len(fixed.Made))
		}
		for _, w := range fixed.Withheld {
			t.Logf("%s: %s: %v", w.Source, w.Rule, w.Err)
		}
	}
}

// unpacked writes files into a folder of their own each, in order.
func unpacked(t *testing.T, files []audit.FixedFile) []string {
	t.Helper()
	dir := t.TempDir()
	var names []string
	for _, f := range files {
		file, err := os.CreateTemp(dir, "*"+filepath.Ext(f.Name))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := file.Write(f.After); err != nil {
			t.Fatal(err)
		}
		if err := file.Close(); err != nil {
			t.Fatal(err)
		}
		names = append(names, file.Name())
	}
	return names
}

func compareObjects(t *testing.T, before, after []audit.Object, r *review.Reviewer, suggestions bool) {
	t.Helper()
	if len(before) != len(after) {
		t.Fatalf("%d objects have become %d", len(before), len(after))
	}
	for i, o := range before {
		s := o.Subject
		if served(t, r, s) {
			s.Operation = review.Create
		}
		want := s.Object
		if d, err := r.Review(t.Context(), s); err == nil {
			repaired, err := r.RepairSelected(t.Context(), s, d, review.Selection{Suggestions: suggestions})
			if err != nil {
				t.Fatal(err)
			}
			if want, err = patch.Apply(s.Object, repaired.Patch); err != nil {
				t.Fatal(err)
			}
		}
		if got := after[i].Subject.Object; !reflect.DeepEqual(decoded(t, want), decoded(t, got)) {
			t.Errorf("%s: (-webhook +fix)\n%s", o.Place(""), cmp.Diff(decoded(t, want), decoded(t, got)))
		}
	}
}

// served reports whether the object can come in a request: no API server sends a kind that it does not know.
func served(t *testing.T, r *review.Reviewer, s review.Subject) bool {
	t.Helper()
	d, err := r.Review(t.Context(), s)
	return err != nil || !slices.ContainsFunc(d.Findings, func(f finding.Finding) bool { return f.Rule == "kind-not-served" })
}

// TestFixGivesThePatchedManifests holds the texts against the patched files of rules.
func TestFixGivesThePatchedManifests(t *testing.T) {
	patched, err := filepath.Glob("../../policies/forestall/rules/*/testdata/fail-*.patched.yaml")
	if err != nil || len(patched) == 0 {
		t.Fatal(patched, err)
	}
	for _, name := range patched {
		cfg, err := config.Load(filepath.Join(filepath.Dir(name), "config.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		set := load(t, audit.Options{Paths: []string{strings.TrimSuffix(name, ".patched.yaml") + ".yaml"}, Keep: true})
		fixed, _ := fix(t, set, cfg.Settings(), review.Selection{})
		got := load(t, audit.Options{Paths: []string{"-"}, Stdin: bytes.NewReader(fixed.Files[0].After)})
		want := load(t, audit.Options{Paths: []string{name}})
		gotten := objects(t, got)
		for i, o := range objects(t, want) {
			if diff := cmp.Diff(decoded(t, o.Subject.Object), decoded(t, gotten[i].Subject.Object)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
		}
	}
}

// TestFixKeepsWhatItCannotChange reads files that are put together in odd ways.
func TestFixKeepsWhatItCannotChange(t *testing.T) {
	const (
		head = "apiVersion: v1\nkind: Pod\n"
		pod  = head + "spec: {containers: [{name: a, image: a:1}]}\n"
		done = head + "spec: {containers: [{name: a, image: a:1, resources: {limits: {memory: 256Mi}}}]}\n"
		json = `{"apiVersion":"v1","kind":"Pod","spec":{"containers":[{"name":"a","image":"a:1"}]}}`
		good = `{"apiVersion":"v1","kind":"Pod","spec":{"containers":[{"name":"a","image":"a:1","resources":{"limits":{"memory":"256Mi"}}}]}}`
	)
	for _, tt := range []struct {
		name, in, want string
		withheld       int
	}{
		{name: "nothing", in: "", want: ""},
		{name: "comments and markers", in: "# a\n---\n" + pod + "...\n# b\n---\n---\n" + pod + "---\n# c\n", want: "# a\n---\n" + done + "...\n# b\n---\n---\n" + done + "---\n# c\n"},
		{name: "a byte order mark", in: "\ufeff---\n" + pod, want: "\ufeff---\n" + done},
		{name: "joined files with byte order marks", in: "\ufeff" + pod + "---\n\ufeff" + pod, want: "\ufeff" + done + "---\n\ufeff" + pod, withheld: 1},
		{name: "CRLF", in: strings.ReplaceAll(pod+"---\n"+pod, "\n", "\r\n"), want: strings.ReplaceAll(done+"---\n"+done, "\n", "\r\n")},
		{name: "JSON values", in: json + "\n" + json + json + "\n\n" + json, want: good + "\n" + good + good + "\n\n" + good},
		{name: "JSON behind a marker", in: "---\n" + json + "\n---\n" + pod, want: "---\n" + good + "\n---\n" + done},
		{name: "a broken document", in: "a: [\n---\n" + pod + "---\n\ta: b\n", want: "a: [\n---\n" + done + "---\n\ta: b\n"},
		{name: "directives", in: "%YAML 1.1\n---\n" + pod, want: "%YAML 1.1\n---\n" + done},
		{name: "an alias beside others", in: head + "spec:\n  containers:\n  - &a {name: a, image: a:1}\n  - *a\n", want: head + "spec:\n  containers:\n  - &a {name: a, image: a:1}\n  - *a\n", withheld: 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			set := load(t, audit.Options{Paths: []string{"-"}, Stdin: strings.NewReader(tt.in), Keep: true})
			fixed, _ := fix(t, set, withDefault(), review.Selection{})
			if diff := cmp.Diff(tt.want, string(fixed.Files[0].After)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if len(fixed.Withheld) != tt.withheld {
				t.Errorf("withheld: %v", fixed.Withheld)
			}
		})
	}
}

// TestFixCountsWhatASuggestionReveals mends a command that cannot be run; once it can,
// it is seen to end after a while, which is less certain to be a problem, and is left.
func TestFixCountsWhatASuggestionReveals(t *testing.T) {
	const pod = `apiVersion: v1
kind: Pod
spec: {containers: [{name: a, image: "busybox:1.37", command: [%s], resources: {limits: {memory: 64Mi}}}]}
`
	for _, tt := range []struct {
		name, written, mended string
		left                  int
	}{
		{"it never ends", `"sleep infinity"`, `"sleep", "infinity"`, 0},
		{"it ends later", `"sleep 1000"`, `"sleep", "1000"`, 1},
		{"it ends at once, which is as certain", `"echo 10"`, `"echo 10"`, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			set := load(t, audit.Options{Paths: []string{"-"}, Stdin: strings.NewReader(fmt.Sprintf(pod, tt.written)), Keep: true})
			fixed, _ := fix(t, set, review.Settings{}, review.Selection{Suggestions: true})
			if diff := cmp.Diff(fmt.Sprintf(pod, tt.mended), string(fixed.Files[0].After)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if fixed.Left != tt.left {
				t.Errorf("%d findings are left, not %d", fixed.Left, tt.left)
			}
		})
	}
}

func load(t *testing.T, o audit.Options) *audit.Set {
	t.Helper()
	set, err := audit.Load(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = set.Close() })
	return set
}

func objects(t *testing.T, set *audit.Set) []audit.Object {
	t.Helper()
	all, _, err := set.All(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func fix(t *testing.T, set *audit.Set, s review.Settings, sel review.Selection) (audit.Fixed, *review.Reviewer) {
	t.Helper()
	r, err := builtin.Reviewer(t.Context(), s, set.Cluster())
	if err != nil {
		t.Fatal(err)
	}
	fixed, err := set.Fix(t.Context(), r, sel)
	if err != nil {
		t.Fatal(err)
	}
	return fixed, r
}

func decoded(t *testing.T, raw []byte) any {
	t.Helper()
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	return v
}
