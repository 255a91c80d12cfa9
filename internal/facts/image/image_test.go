package image_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/forestall/forestall/internal/facts/fact"
	"github.com/forestall/forestall/internal/facts/image"
)

const (
	path = "spec.containers[0]"
	at   = path + ".image"
)

func observe(text string, policy corev1.PullPolicy) image.Facts {
	return image.Observe(&corev1.Container{Image: text, ImagePullPolicy: policy}, path, "")
}

func TestObserve(t *testing.T) {
	digest := "sha256:" + strings.Repeat("a", 64)
	valid := image.Invalid{Observation: fact.AbsentAt(at)}
	pulled := fact.AbsentAt(path + ".imagePullPolicy")
	for _, want := range []image.Facts{
		{Text: "nginx", Name: "docker.io/library/nginx", Mutable: fact.PresentAt(at)},
		{Text: "nginx:latest", Name: "docker.io/library/nginx", Tag: "latest", Mutable: fact.PresentAt(at)},
		{Text: "nginx:LATEST", Name: "docker.io/library/nginx", Tag: "LATEST", Mutable: fact.AbsentAt(at)},
		{Text: "nginx:1.29", Name: "docker.io/library/nginx", Tag: "1.29", Mutable: fact.AbsentAt(at)},
		{Text: "nginx@" + digest, Name: "docker.io/library/nginx", Digest: digest, Mutable: fact.AbsentAt(at)},
		{Text: "nginx:latest@" + digest, Name: "docker.io/library/nginx", Tag: "latest", Digest: digest, Mutable: fact.AbsentAt(at)},
		{Text: "localhost:5000/shop/web", Name: "localhost:5000/shop/web", Mutable: fact.PresentAt(at)},
		{Text: "webgrid/api", Name: "docker.io/webgrid/api", Mutable: fact.PresentAt(at)},
	} {
		want.Observation, want.Invalid, want.NeverPulled, want.PullPolicy = fact.PresentAt(at), valid, pulled, "Always"
		if diff := cmp.Diff(want, observe(want.Text, corev1.PullAlways)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", want.Text, diff)
		}
	}
}

func TestUnknown(t *testing.T) {
	all := func(o fact.Observation) image.Facts {
		return image.Facts{Observation: fact.PresentAt(at), Invalid: image.Invalid{Observation: o}, Mutable: o, NeverPulled: o, PullPolicy: "Never"}
	}
	none := all(fact.UnknownAt(at, "no image is named"))
	none.Observation = fact.AbsentAt(at)
	long := all(fact.UnknownAt(at, "the reference is too long to be read"))
	long.Text = strings.Repeat("a.", 2000)
	if diff := cmp.Diff(none, observe("", corev1.PullNever)); diff != "" {
		t.Errorf("none (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(long, observe(long.Text, corev1.PullNever)); diff != "" {
		t.Errorf("a long one (-want +got):\n%s", diff)
	}
	replaced := all(fact.UnknownAt(at, "a mesh"))
	replaced.Text = "auto"
	got := image.Observe(&corev1.Container{Image: "auto", ImagePullPolicy: corev1.PullNever}, path, "a mesh")
	if diff := cmp.Diff(replaced, got); diff != "" {
		t.Errorf("replaced (-want +got):\n%s", diff)
	}
}

func TestNeverPulled(t *testing.T) {
	const at = path + ".imagePullPolicy"
	for text, want := range map[string]fact.Observation{
		"web:1.4.2":                              fact.PresentAt(at),
		"web":                                    fact.PresentAt(at),
		"web:" + strings.Repeat("0a", 32):        fact.AbsentAt(at), // named by its ID
		"web:" + strings.Repeat("0a", 20):        fact.PresentAt(at),
		"web@sha256:" + strings.Repeat("0a", 32): fact.PresentAt(at),
		"Web":                                    fact.UnknownAt(at, "the reference cannot be read"),
	} {
		if diff := cmp.Diff(want, observe(text, corev1.PullNever).NeverPulled); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
		if !observe(text, corev1.PullIfNotPresent).NeverPulled.Is(map[bool]fact.State{true: fact.Unknown, false: fact.Absent}[text == "Web"]) {
			t.Errorf("%s is not pulled with IfNotPresent", text)
		}
	}
}
