package workload

import (
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

func TestKindsIsACopy(t *testing.T) {
	Kinds()[0].Kind = "Changed"
	if got := Kinds()[0].Kind; got != "Pod" {
		t.Errorf("after a change to the slice, the first kind is %q", got)
	}
}

func TestKindPaths(t *testing.T) {
	for _, k := range Kinds() {
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
	for gvk, want := range map[schema.GroupVersionKind]bool{
		{Group: "", Version: "v1", Kind: "Pod"}:               true,
		{Group: "batch", Version: "v1", Kind: "CronJob"}:      true,
		{Group: "batch", Version: "v1beta1", Kind: "CronJob"}: false,
		{Group: "apps", Version: "v1", Kind: "Pod"}:           false,
		{Group: "", Version: "v1", Kind: "ConfigMap"}:         false,
		{}: false,
	} {
		if got := Judged(gvk); got != want {
			t.Errorf("Judged(%v) = %v", gvk, got)
		}
	}
}

func TestKindNames(t *testing.T) {
	for _, k := range Kinds() {
		if gvk := k.GroupVersionKind(); !Judged(gvk) || gvk.GroupVersion().String() != k.APIVersion() {
			t.Errorf("%+v names itself %v", k, gvk)
		}
		if gvr := k.GroupVersionResource(); gvr.Resource != k.Resource || gvr.Group != k.Group {
			t.Errorf("%+v is served as %v", k, gvr)
		}
	}
}
