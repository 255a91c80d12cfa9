package workload

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestOwner(t *testing.T) {
	for name, test := range map[string]struct {
		owners       []metav1.OwnerReference
		judged, bare bool
	}{
		"nobody":                 {bare: true},
		"ReplicaSet":             {owners: owner("apps/v1", "ReplicaSet", true), judged: true},
		"old version":            {owners: owner("apps/v1beta2", "ReplicaSet", true), judged: true},
		"Job":                    {owners: owner("batch/v1", "Job", true), judged: true},
		"core kind":              {owners: owner("v1", "ReplicationController", true), judged: true},
		"owner, not controller":  {owners: owner("apps/v1", "ReplicaSet", false), bare: true},
		"unknown kind":           {owners: owner("argoproj.io/v1alpha1", "Rollout", true)},
		"same name, other group": {owners: owner("apps.kruise.io/v1alpha1", "StatefulSet", true)},
		"node, a mirror pod":     {owners: owner("v1", "Node", true)},
		"unreadable version":     {owners: owner("a/b/c", "ReplicaSet", true)},
	} {
		v := &View{Kind: "Pod", Meta: metav1.ObjectMeta{OwnerReferences: test.owners}}
		if got := v.JudgedOwner() != nil; got != test.judged {
			t.Errorf("%s: JudgedOwner() != nil is %v", name, got)
		}
		if got := v.Bare(); got != test.bare {
			t.Errorf("%s: Bare() = %v", name, got)
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
