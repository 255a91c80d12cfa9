package workload

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestOwnerOfAPod(t *testing.T) {
	for name, test := range map[string]struct {
		owners        []metav1.OwnerReference
		builtIn, bare bool
	}{
		"nobody":                 {bare: true},
		"ReplicaSet":             {owners: owner("apps/v1", "ReplicaSet", true), builtIn: true},
		"old version":            {owners: owner("apps/v1beta2", "ReplicaSet", true), builtIn: true},
		"Job":                    {owners: owner("batch/v1", "Job", true), builtIn: true},
		"core kind":              {owners: owner("v1", "ReplicationController", true), builtIn: true},
		"creates no Pods":        {owners: owner("apps/v1", "Deployment", true)},
		"owner, not controller":  {owners: owner("apps/v1", "ReplicaSet", false), bare: true},
		"unknown kind":           {owners: owner("argoproj.io/v1alpha1", "Rollout", true)},
		"same name, other group": {owners: owner("apps.kruise.io/v1alpha1", "StatefulSet", true)},
		"node, a mirror pod":     {owners: owner("v1", "Node", true)},
		"unreadable version":     {owners: owner("a/b/c", "ReplicaSet", true)},
	} {
		v := &View{APIVersion: "v1", Kind: "Pod", Meta: metav1.ObjectMeta{OwnerReferences: test.owners}}
		if got := v.BuiltInOwner() != nil; got != test.builtIn {
			t.Errorf("%s: BuiltInOwner() != nil is %v", name, got)
		}
		if got := v.Bare(); got != test.bare {
			t.Errorf("%s: Bare() = %v", name, got)
		}
	}
}

// TestOwnerIsAPair: what no controller of Kubernetes creates has no built-in owner, whatever is written.
func TestOwnerIsAPair(t *testing.T) {
	for _, test := range []struct {
		kind, apiVersion, owner, of string
		want                        bool
	}{
		{"ReplicaSet", "apps/v1", "Deployment", "apps/v1", true},
		{"Job", "batch/v1", "CronJob", "batch/v1", true},
		{"Deployment", "apps/v1", "Deployment", "apps/v1", false},
		{"Deployment", "apps/v1", "CronJob", "batch/v1", false},
		{"Job", "batch/v1", "Job", "batch/v1", false},
		{"ReplicaSet", "apps/v1", "Rollout", "argoproj.io/v1alpha1", false},
		{"StatefulSet", "apps/v1", "Prometheus", "monitoring.coreos.com/v1", false},
	} {
		v := &View{APIVersion: test.apiVersion, Kind: test.kind, TemplatePath: "spec.template"}
		v.Meta.OwnerReferences = owner(test.of, test.owner, true)
		if got := v.BuiltInOwner() != nil; got != test.want {
			t.Errorf("%s of a %s: %t", test.kind, test.owner, got)
		}
	}
}

func owner(apiVersion, kind string, controller bool) []metav1.OwnerReference {
	return []metav1.OwnerReference{{APIVersion: apiVersion, Kind: kind, Name: "x", Controller: &controller}}
}

func TestBareIsAPod(t *testing.T) {
	if v := (&View{Kind: "Deployment", TemplatePath: "spec.template"}); v.Bare() {
		t.Error("a Deployment is bare")
	}
}

func TestDisplayName(t *testing.T) {
	for want, meta := range map[string]metav1.ObjectMeta{
		"web":   {Name: "web", GenerateName: "web-"},
		"web-*": {GenerateName: "web-"},
		"":      {},
	} {
		if got := (&View{Meta: meta}).DisplayName(); got != want {
			t.Errorf("DisplayName() = %q, want %q", got, want)
		}
	}
}
