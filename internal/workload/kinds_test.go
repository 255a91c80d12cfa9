package workload

import (
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

func TestKindsIsACopy(t *testing.T) {
	var table Table
	table.Kinds()[0].Kind = "Changed"
	if got := table.Kinds()[0].Kind; got != "Pod" {
		t.Errorf("after a change to the slice, the first kind is %q", got)
	}
}

func TestKindPaths(t *testing.T) {
	for _, k := range append((Table{}).Kinds(), Known()...) {
		want := k.TemplatePath + ".spec"
		if k.TemplatePath == "" {
			want = "spec"
		}
		if k.SpecPath != want {
			t.Errorf("%s: spec path %q, want %q", k.Kind, k.SpecPath, want)
		}
	}
}

func TestJudged(t *testing.T) {
	table := knownTable(t)
	for gvk, want := range map[schema.GroupVersionKind]struct{ builtIn, known bool }{
		{Group: "", Version: "v1", Kind: "Pod"}:                            {true, true},
		{Group: "batch", Version: "v1", Kind: "CronJob"}:                   {true, true},
		{Group: "batch", Version: "v1beta1", Kind: "CronJob"}:              {},
		{Group: "apps", Version: "v1", Kind: "Pod"}:                        {},
		{Group: "", Version: "v1", Kind: "ConfigMap"}:                      {},
		{Group: "", Version: "v1", Kind: "Service"}:                        {},
		{Group: "serving.knative.dev", Version: "v1", Kind: "Service"}:     {known: true},
		{Group: "argoproj.io", Version: "v1alpha1", Kind: "Rollout"}:       {known: true},
		{Group: "argoproj.io", Version: "v1", Kind: "Rollout"}:             {},
		{Group: "apps.kruise.io", Version: "v1beta1", Kind: "StatefulSet"}: {known: true},
		{}: {},
	} {
		if got := (Table{}).Judged(gvk); got != want.builtIn {
			t.Errorf("built in: Judged(%v) = %v", gvk, got)
		}
		if got := table.Judged(gvk); got != want.known {
			t.Errorf("known: Judged(%v) = %v", gvk, got)
		}
	}
}

func TestKindNames(t *testing.T) {
	table := knownTable(t)
	for _, k := range table.Kinds() {
		if gvk := k.GroupVersionKind(); !table.Judged(gvk) || gvk.GroupVersion().String() != k.APIVersion() {
			t.Errorf("%+v names itself %v", k, gvk)
		}
		if gvr := k.GroupVersionResource(); gvr.Resource != k.Resource || gvr.Group != k.Group {
			t.Errorf("%+v is served as %v", k, gvr)
		}
	}
}
