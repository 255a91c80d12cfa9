package review_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/builtin"
	"github.com/forestall/forestall/internal/cluster"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/review"
)

// TestLevelInForce holds that the lowest of all that have a say wins.
func TestLevelInForce(t *testing.T) {
	const rule = "memory-limit-missing" // deny by default, since v0.1.0
	for _, tt := range []struct {
		name      string
		settings  review.Settings
		label     string
		admission finding.Level
		audit     finding.Level
	}{
		{name: "the rule's own", admission: finding.Deny, audit: finding.Deny},
		{
			name: "configured", settings: review.Settings{Levels: map[string]finding.Level{rule: finding.Warn}},
			admission: finding.Warn, audit: finding.Warn,
		},
		{
			name: "configured for audits", settings: review.Settings{AuditLevels: map[string]finding.Level{rule: finding.Audit}},
			admission: finding.Deny, audit: finding.Audit,
		},
		{
			name: "both", settings: review.Settings{
				Levels: map[string]finding.Level{rule: finding.Off}, AuditLevels: map[string]finding.Level{rule: finding.Deny},
			},
			admission: finding.Off, audit: finding.Deny,
		},
		{name: "mode", settings: review.Settings{Mode: finding.Audit}, admission: finding.Audit, audit: finding.Audit},
		{name: "mode off", settings: review.Settings{Mode: finding.Off}, admission: finding.Off, audit: finding.Off},
		{
			name: "the namespace's name", settings: review.Settings{Namespaces: map[string]finding.Level{"default": finding.Warn}},
			admission: finding.Warn, audit: finding.Warn,
		},
		{
			name: "patterns, the lowest of them", settings: review.Settings{Namespaces: map[string]finding.Level{"def*": finding.Audit, "*": finding.Warn}},
			admission: finding.Audit, audit: finding.Audit,
		},
		{
			name: "another namespace", settings: review.Settings{Namespaces: map[string]finding.Level{"kube-*": finding.Off}},
			admission: finding.Deny, audit: finding.Deny,
		},
		{name: "the namespace's label", label: "warn", admission: finding.Warn, audit: finding.Warn},
		{name: "the label off", label: "off", admission: finding.Off, audit: finding.Off},
		{name: "a label that is no level", label: "loud", admission: finding.Deny, audit: finding.Deny},
		{name: "a label does not raise", settings: review.Settings{Mode: finding.Warn}, label: "deny", admission: finding.Warn, audit: finding.Warn},
		{name: "a version before the rule", settings: review.Settings{PolicyVersion: "v0.0.9"}, admission: finding.Warn, audit: finding.Warn},
		{name: "the version of the rule", settings: review.Settings{PolicyVersion: "v0.1.0"}, admission: finding.Deny, audit: finding.Deny},
		{
			name: "assumed, in place of the mode and the label", label: "off",
			settings:  review.Settings{Mode: finding.Audit, Assumed: review.Assumed{Everywhere: finding.Deny}},
			admission: finding.Deny, audit: finding.Deny,
		},
		{
			name: "assumed, with the levels of admission", settings: review.Settings{
				AuditLevels: map[string]finding.Level{rule: finding.Off}, Assumed: review.Assumed{Namespaces: map[string]finding.Level{"def*": finding.Warn}},
			},
			admission: finding.Warn, audit: finding.Warn,
		},
		{
			name: "assumed for another namespace", settings: review.Settings{
				Mode: finding.Audit, Assumed: review.Assumed{Namespaces: map[string]finding.Level{"shop": finding.Deny}},
			},
			admission: finding.Audit, audit: finding.Audit,
		},
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
			for op, want := range map[review.Operation]finding.Level{review.Create: tt.admission, review.Audit: tt.audit} {
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
	d, err := reviewer(t, review.Settings{Mode: finding.Off}).Review(t.Context(), subject(t, review.Create, pod, ""))
	if err != nil || d.Skipped != "the mode in this namespace is off" || d.Findings != nil {
		t.Errorf("got %+v, %v", d, err)
	}
}

func TestNewRefusesSettings(t *testing.T) {
	_, err := builtin.Reviewer(t.Context(), review.Settings{
		PolicyVersion: "newest",
		Namespaces:    map[string]finding.Level{"[": finding.Warn},
		Levels:        map[string]finding.Level{"comand-exits": finding.Warn},
		AuditLevels:   map[string]finding.Level{"nothing-like-it": finding.Warn},
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
