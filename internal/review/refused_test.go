package review_test

import (
	"strings"
	"testing"

	"github.com/forestall/forestall/internal/builtin"
	"github.com/forestall/forestall/internal/cluster"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/review"
	"github.com/forestall/forestall/policies"
)

// quietPod has n containers of which nothing is denied.
func quietPod(n int) string {
	return podOf(listed(n, numbered(`{"name":"c%d","image":"web:1","command":["sh","-c","a;b;c;exec d"],"resources":{"limits":{"memory":"64Mi"}}}`)))
}

// TestRefuseUnfinished: what cannot be judged whole is refused where the settings say so, when it is created, no controller owns
// it, and nothing forbids denials. That holds for an object that takes too many steps, and for one that is not decoded.
func TestRefuseUnfinished(t *testing.T) {
	const ours, theirs = "system:kube-controller-manager", "jane"
	owned := func(object, reference string) string {
		return strings.Replace(object, `"metadata":{`, `"metadata":{"ownerReferences":[{"apiVersion":"apps/v1","uid":"1",`+reference+`}],`, 1)
	}
	const byReplicaSet = `"kind":"ReplicaSet","name":"web","controller":true`
	rules, err := builtin.RulesOf(t.Context(), policies.FS)
	if err != nil {
		t.Fatal(err)
	}
	many, large := quietPod(400), quietPod(5000)
	for _, object := range []struct {
		name, now string
	}{{"too many steps", many}, {"not decoded", large}} {
		for _, tt := range []struct {
			name     string
			settings func(*review.Settings)
			subject  func(*review.Subject)
			label    string
			unknown  bool
			refused  bool
		}{
			{name: "created", refused: true},
			{name: "not set", settings: func(s *review.Settings) { s.RefuseUnfinished = false }},
			{name: "updated", subject: func(s *review.Subject) { s.Operation, s.OldObject = review.Update, []byte(quietPod(1)) }},
			{name: "audited", subject: func(s *review.Subject) { s.Operation = review.Audit }},
			{name: "mode warn", settings: func(s *review.Settings) { s.Mode = finding.Warn }},
			{name: "mode off", settings: func(s *review.Settings) { s.Mode = finding.Off }},
			{name: "the namespace warns", settings: func(s *review.Settings) { s.Namespaces = map[string]finding.Level{"def*": finding.Warn} }},
			{name: "the label of the namespace", label: "audit"},
			{name: "an unknown namespace", unknown: true},
			{name: "owned", subject: func(s *review.Subject) { s.Object, s.User = []byte(owned(object.now, byReplicaSet)), ours }},
			{
				name:     "owned, and owned objects may be denied",
				settings: func(s *review.Settings) { s.OwnedObjects = finding.Deny },
				subject:  func(s *review.Subject) { s.Object, s.User = []byte(owned(object.now, byReplicaSet)), ours },
			},
			{
				name: "a forged owner", refused: true,
				subject: func(s *review.Subject) { s.Object, s.User = []byte(owned(object.now, byReplicaSet)), theirs },
			},
			{
				name: "an owner that is no controller", refused: true,
				subject: func(s *review.Subject) {
					s.Object, s.User = []byte(owned(object.now, `"kind":"ReplicaSet","name":"web"`)), ours
				},
			},
			{
				name: "a mirror pod of a node",
				subject: func(s *review.Subject) {
					s.Object, s.User = []byte(strings.Replace(object.now, `"metadata":{`, `"metadata":{"annotations":{"kubernetes.io/config.mirror":"1"},`, 1)), "system:node:a"
				},
			},
		} {
			t.Run(object.name+"/"+tt.name, func(t *testing.T) {
				settings := withLimit()
				settings.RefuseUnfinished = true
				if tt.settings != nil {
					tt.settings(&settings)
				}
				store := cluster.OfFiles(true)
				namespace := `{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"default","labels":{"forestall.dev/mode":"` + tt.label + `"}}}`
				if err := store.Add("v1", "Namespace", []byte(namespace)); err != nil {
					t.Fatal(err)
				}
				if tt.unknown {
					store = &cluster.Store{}
					store.Namespaces.Unknown("it was not listed")
				}
				r, err := rules.Reviewer(settings, store)
				if err != nil {
					t.Fatal(err)
				}
				s := subject(t, review.Create, object.now, "")
				if tt.subject != nil {
					tt.subject(&s)
				}
				d, err := r.WithSteps(10_000).Review(t.Context(), s)
				if err != nil || d.Denied() != tt.refused || (d.Refused != "") != tt.refused {
					t.Errorf("denied %v, refused %q, unfinished %q, skipped %q, level %s, %v", d.Denied(), d.Refused, d.Unfinished, d.Skipped, d.Level(), err)
				}
				if repaired, err := r.Repair(t.Context(), s, d); err != nil || len(repaired.Patch) > 0 {
					t.Errorf("repaired by %v, %v", repaired.Patch, err)
				}
			})
		}
	}
}
