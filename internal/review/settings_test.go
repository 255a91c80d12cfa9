package review_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/builtin"
	"github.com/forestall/forestall/internal/cluster"
	"github.com/forestall/forestall/internal/policy"
	"github.com/forestall/forestall/internal/review"
)

// TestLevelInForce holds that the lowest of all that have a say wins.
func TestLevelInForce(t *testing.T) {
	const rule = "memory-limit-missing" // deny by default, since v0.1.0
	for _, tt := range []struct {
		name      string
		settings  review.Settings
		label     string
		admission policy.Level
		audit     policy.Level
	}{
		{name: "the rule's own", admission: policy.Deny, audit: policy.Deny},
		{
			name: "configured", settings: review.Settings{Levels: map[string]policy.Level{rule: policy.Warn}},
			admission: policy.Warn, audit: policy.Warn,
		},
		{
			name: "configured for audits", settings: review.Settings{AuditLevels: map[string]policy.Level{rule: policy.Audit}},
			admission: policy.Deny, audit: policy.Audit,
		},
		{
			name: "both", settings: review.Settings{
				Levels: map[string]policy.Level{rule: policy.Off}, AuditLevels: map[string]policy.Level{rule: policy.Deny},
			},
			admission: policy.Off, audit: policy.Deny,
		},
		{name: "mode", settings: review.Settings{Mode: policy.Audit}, admission: policy.Audit, audit: policy.Audit},
		{name: "mode off", settings: review.Settings{Mode: policy.Off}, admission: policy.Off, audit: policy.Off},
		{
			name: "the namespace's name", settings: review.Settings{Namespaces: map[string]policy.Level{"default": policy.Warn}},
			admission: policy.Warn, audit: policy.Warn,
		},
		{
			name: "patterns, the lowest of them", settings: review.Settings{Namespaces: map[string]policy.Level{"def*": policy.Audit, "*": policy.Warn}},
			admission: policy.Audit, audit: policy.Audit,
		},
		{
			name: "another namespace", settings: review.Settings{Namespaces: map[string]policy.Level{"kube-*": policy.Off}},
			admission: policy.Deny, audit: policy.Deny,
		},
		{name: "the namespace's label", label: "warn", admission: policy.Warn, audit: policy.Warn},
		{name: "the label off", label: "off", admission: policy.Off, audit: policy.Off},
		{name: "a label that is no level", label: "loud", admission: policy.Deny, audit: policy.Deny},
		{name: "a label does not raise", settings: review.Settings{Mode: policy.Warn}, label: "deny", admission: policy.Warn, audit: policy.Warn},
		{name: "a version before the rule", settings: review.Settings{PolicyVersion: "v0.0.9"}, admission: policy.Warn, audit: policy.Warn},
		{name: "the version of the rule", settings: review.Settings{PolicyVersion: "v0.1.0"}, admission: policy.Deny, audit: policy.Deny},
	} {
		t.Run(tt.name, func(t *testing.T) {
			known := cluster.OfFiles(false)
			if tt.label != "" {
				ns := `{"metadata": {"name": "default", "labels": {"forestall.dev/mode": "` + tt.label + `"}}}`
				if err := known.Add("v1", "Namespace", []byte(ns)); err != nil {
					t.Fatal(err)
				}
			}
			r, err := builtin.Reviewer(t.Context(), tt.settings, known)
			if err != nil {
				t.Fatal(err)
			}
			for op, want := range map[review.Operation]policy.Level{review.Create: tt.admission, review.Audit: tt.audit} {
				d, err := r.Review(t.Context(), subject(t, op, pod, ""))
				if err != nil || d.Level() != want {
					t.Errorf("%s: %s, %v; want %s", op, d.Level(), err, want)
				}
			}
		})
	}
}

// TestOffSkips because off is the switch for a day on which nothing may be judged.
func TestOffSkips(t *testing.T) {
	d, err := reviewer(t, review.Settings{Mode: policy.Off}).Review(t.Context(), subject(t, review.Create, pod, ""))
	if err != nil || d.Skipped != "the mode in this namespace is off" || d.Findings != nil {
		t.Errorf("got %+v, %v", d, err)
	}
}

func TestNewRefusesSettings(t *testing.T) {
	_, err := builtin.Reviewer(t.Context(), review.Settings{
		PolicyVersion: "newest",
		Namespaces:    map[string]policy.Level{"[": policy.Warn},
		Levels:        map[string]policy.Level{"comand-exits": policy.Warn},
		AuditLevels:   map[string]policy.Level{"nothing-like-it": policy.Warn},
		Params:        map[string]map[string]any{"command-exits": {"x": 1}},
	}, nil)
	const want = `rules.command-exits.params.x: the rule has no such parameter
policyVersion: "newest" is not a version such as v0.1.0
rules.comand-exits: there is no such rule: did you mean command-exits or command-exits-late?
rules.nothing-like-it: there is no such rule
namespaces.[: it is not a pattern such as team-*`
	if err == nil {
		t.Fatal("no error")
	}
	if diff := cmp.Diff(want, err.Error()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
