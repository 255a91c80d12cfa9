package facts_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/facts"
	"github.com/forestall/forestall/internal/facts/fact"
)

func TestImagesThatAreReplaced(t *testing.T) {
	const at = "spec.containers[0].image"
	for object, want := range map[string]fact.Observation{
		`{apiVersion: v1, kind: Pod, spec: {containers: [{name: a, image: auto}]}}`:                                                              fact.UnknownAt(at, "a service mesh replaces it"),
		`{apiVersion: v1, kind: Pod, metadata: {annotations: {image.openshift.io/triggers: "[]"}}, spec: {containers: [{name: a, image: " "}]}}`: fact.UnknownAt(at, "the annotation image.openshift.io/triggers replaces it"),
		`{apiVersion: v1, kind: Pod, spec: {containers: [{name: a, image: auto:1}]}}`:                                                            fact.AbsentAt(at),
	} {
		got := factsOf(view(t, object), alone(), facts.Knowledge{}).Containers[0].Image
		if diff := cmp.Diff(want, got.Invalid.Observation); diff != "" {
			t.Errorf("%s: invalid (-want +got):\n%s", object, diff)
		}
		if diff := cmp.Diff(want, got.Mutable); diff != "" {
			t.Errorf("%s: mutable (-want +got):\n%s", object, diff)
		}
	}
}
