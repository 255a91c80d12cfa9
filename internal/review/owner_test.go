package review_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/review"
)

// TestWhoIsDenied: an owner reference takes a denial away only where a controller wrote it.
func TestWhoIsDenied(t *testing.T) {
	as := func(kind, apiVersion string) string {
		return strings.Replace(strings.Replace(deployment, "kind: Deployment", "kind: "+kind, 1), "apps/v1", apiVersion, 1)
	}
	replicaSet := owned(as("ReplicaSet", "apps/v1"), "apps/v1", "Deployment")
	job := owned(as("Job", "batch/v1"), "batch/v1", "CronJob")
	podOfReplicaSet := owned(pod, "apps/v1", "ReplicaSet")
	const operators = "system:serviceaccount:operators:robots"
	for _, tt := range []struct {
		name         string
		object, user string
		settings     review.Settings
		want         finding.Level
		sender       review.Sender
		owner        bool
	}{
		{name: "by its controller", object: podOfReplicaSet, user: controller, want: finding.Warn, sender: review.Controller, owner: true},
		{name: "by controllers that share one identity", object: replicaSet, user: "system:kube-controller-manager", want: finding.Warn, sender: review.Controller, owner: true},
		{name: "by a person who writes a reference", object: podOfReplicaSet, user: "jane", want: finding.Deny, sender: review.Other},
		{name: "by another service account", object: replicaSet, user: operators, want: finding.Deny, sender: review.Other},
		{
			name: "by a controller that the settings name", object: replicaSet, user: operators,
			settings: review.Settings{Controllers: []string{"system:serviceaccount:operators:*"}},
			want:     finding.Warn, sender: review.Controller, owner: true,
		},
		{
			name: "where references are trusted", object: podOfReplicaSet, user: "jane",
			settings: review.Settings{TrustOwnerReferences: true}, want: finding.Warn, sender: review.Other, owner: true,
		},
		{name: "kubectl create job --from", object: job, user: "jane", want: finding.Warn, sender: review.Other, owner: true},
		{name: "a Deployment of a Deployment", object: owned(deployment, "apps/v1", "Deployment"), user: controller, want: finding.Deny},
		{name: "a Deployment of a CronJob", object: owned(deployment, "batch/v1", "CronJob"), user: "jane", want: finding.Deny},
		{name: "a Pod of an operator", object: owned(pod, "example.com/v1", "Robot"), user: operators, want: finding.Deny},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := subject(t, review.Create, tt.object, "")
			s.User = tt.user
			d, err := reviewer(t, tt.settings).Review(t.Context(), s)
			if err != nil {
				t.Fatal(err)
			}
			if d.Level() != tt.want || d.Sender != tt.sender || (d.Owner != nil) != tt.owner {
				t.Errorf("level %q, sender %q, owner %v; want %q, %q, %t", d.Level(), d.Sender, d.Owner, tt.want, tt.sender, tt.owner)
			}
		})
	}
}

// TestNoFights: what an operator reconciles is not patched, its Pods are. What their repair
// cures is no reason to deny the workload.
func TestNoFights(t *testing.T) {
	withDefault := review.Settings{Params: map[string]map[string]any{"memory-limit-missing": {"defaultLimit": "128Mi"}}}
	for _, tt := range []struct {
		name     string
		object   string
		settings review.Settings
		patched  bool
		want     finding.Level
	}{
		{"a Deployment of an operator", owned(deployment, "example.com/v1", "Robot"), withDefault, false, finding.Warn},
		{"without a repair", owned(deployment, "example.com/v1", "Robot"), review.Settings{}, false, finding.Deny},
		{"its Pod", owned(pod, "example.com/v1", "Robot"), withDefault, true, finding.Deny},
		{"a Deployment of nobody", deployment, withDefault, true, finding.Deny},
		{
			"a ReplicaSet that a person sends",
			owned(strings.Replace(deployment, "kind: Deployment", "kind: ReplicaSet", 1), "apps/v1", "Deployment"), withDefault, false, finding.Warn,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := reviewer(t, tt.settings)
			s := subject(t, review.Create, tt.object, "")
			s.User = "system:serviceaccount:operators:robots"
			d := decide(t, r, s)
			if got := len(d.Repaired.Patch) > 0; got != tt.patched || d.Level() != tt.want {
				t.Errorf("patched: %t, level %s; want %t, %s", got, d.Level(), tt.patched, tt.want)
			}
		})
	}
}

func TestControllersArePatterns(t *testing.T) {
	_, err := review.New(review.Options{Engine: engine(t, nil), Settings: review.Settings{Controllers: []string{"["}}})
	want := `controllers: "[" is not a pattern such as system:serviceaccount:operators:*`
	if err == nil || cmp.Diff(want, err.Error()) != "" {
		t.Errorf("got %v, want %s", err, want)
	}
}
