package workload

import (
	"bytes"
	"encoding/json"
	"testing"
)

// FuzzFromObject holds for any input: no panic, an error or a View, a container
// of the View for each one of the pod spec, and defaults that change nothing
// when they are applied again.
func FuzzFromObject(f *testing.F) {
	f.Add([]byte(`{"apiVersion":"v1","kind":"Pod"}`))
	f.Add([]byte(`{"metadata":{},"kind":"P\u006fd","apiVersion":"v1","kind":null}`))
	f.Add([]byte(`{"apiVersion":"argoproj.io/v1alpha1","kind":"Rollout","spec":{"replicas":"x","template":{"spec":{"containers":[{}]}}}}`))
	f.Add([]byte(`{"apiVersion":"keda.sh/v1alpha1","kind":"ScaledJob","spec":{"jobTargetRef":{"activeDeadlineSeconds":1e99,"template":{}}}}`))
	f.Add([]byte(`{"apiVersion":"serving.knative.dev/v1","kind":"Service","spec":{"template":{"spec":{"containers":[{},{}]}}}}`))
	table := knownTable(f)
	f.Fuzz(func(t *testing.T, raw []byte) {
		if quick, ok := quickPeek(raw); ok {
			if slow, err := slowPeek(raw); err != nil || quick != slow {
				t.Fatalf("quick: %+v, slow: %+v, %v", quick, slow, err)
			}
		}
		v, err := table.FromObject(raw)
		if (v == nil) == (err == nil) {
			t.Fatalf("FromObject() = %v, %v", v, err)
		}
		if err != nil {
			return
		}
		spec := &v.PodSpec
		if want := len(spec.InitContainers) + len(spec.Containers) + len(spec.EphemeralContainers); len(v.Containers) != want {
			t.Errorf("%d containers, want %d", len(v.Containers), want)
		}
		_, _, _, _ = v.DisplayName(), v.Bare(), v.BuiltInOwner(), v.Container("")
		checkStable(t, table, v)
	})
}

// checkStable reads the defaulted spec again, as part of an object of the same kind.
func checkStable(t *testing.T, table Table, v *View) {
	t.Helper()
	k, ok := table.named(v.APIVersion, v.Kind)
	if !ok {
		t.Fatalf("%s %s is not judged", v.APIVersion, v.Kind)
	}
	first := marshal(t, v.PodSpec)
	again, err := table.FromObject(wrap(t, k, map[string]any{"metadata": map[string]any{}, "spec": json.RawMessage(first)}))
	if err != nil {
		t.Fatalf("reading again: %v\n%s", err, first)
	}
	if second := marshal(t, again.PodSpec); !bytes.Equal(first, second) {
		t.Errorf("defaults are not stable:\n%s\n%s", first, second)
	}
}

func marshal(t *testing.T, value any) []byte {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
