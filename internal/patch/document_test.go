package patch_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/patch"
)

// A Document gives the same patches again and again, each as if it were the first, and later repairs
// see what earlier ones of the same patch have made.
func TestDocumentIsNotChanged(t *testing.T) {
	const object = `{"spec":{"containers":[{"name":"a","args":["x","y"]},{"name":"b","resources":null}]}}`
	d, err := patch.Read([]byte(object))
	if err != nil {
		t.Fatal(err)
	}
	repairs := []finding.Repair{
		{Op: "add", Path: "spec.containers[1].resources.limits.memory", Value: "1Gi"},
		{Op: "add", Path: "spec.containers[1].resources.limits.cpu", Value: json.Number("1")},
		{Op: "set", Path: "spec.containers[1].resources.limits.memory", Value: "2Gi"},
		{Op: "remove", Path: "spec.containers[0].args[0]"},
		{Op: "replace", Path: "spec.containers[0].args[0]", Value: "z"},
		{Op: "remove", Path: "spec.containers[0].name"},
		{Op: "add", Path: "spec.containers[0].name", Value: "c"},
		{Op: "update", Path: "spec.containers[0].image", Value: "none"},
	}
	var first []finding.Operation
	for range 2 {
		ops, err := d.Build(repairs)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = ops
		}
		if diff := cmp.Diff(first, ops); diff != "" {
			t.Errorf("the second time (-first +second):\n%s", diff)
		}
	}
	if _, err := d.Build(repairs[1:2]); err != nil {
		t.Errorf("one alone: %v", err)
	}
	if _, err := d.Build(repairs[4:5]); err != nil {
		t.Errorf("one alone: %v", err)
	}
	if _, err := d.Build([]finding.Repair{repairs[0], repairs[0]}); err == nil {
		t.Error("the same is added twice")
	}
	patched, err := patch.Apply([]byte(object), first)
	if err != nil {
		t.Fatal(err)
	}
	var got, want any
	const after = `{"spec":{"containers":[{"name":"c","args":["z"]},{"name":"b","resources":{"limits":{"memory":"2Gi","cpu":1}}}]}}`
	if err := json.Unmarshal(patched, &got); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(after), &want); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
