package defaults

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/forestall/forestall/internal/workload"
)

// TestAgainstAPIServer sends every fixture as every kind that accepts it.
func TestAgainstAPIServer(t *testing.T) {
	api := startServer(t)
	for _, pod := range readPods(t) {
		name, _, _ := unstructured.NestedString(pod, "metadata", "name")
		for _, k := range (workload.Table{}).Kinds() {
			sent := object(t, k, pod)
			if sent == nil {
				continue
			}
			t.Run(name+"/"+k.Kind, func(t *testing.T) {
				stored, err := dryRun(t.Context(), api, k.GroupVersionResource(), sent)
				if err != nil {
					t.Fatalf("the API server refuses the fixture: %v", err)
				}
				compare(t, sent, stored.Object)
			})
		}
	}
}

// compare holds the View of what was sent to what the API server would store.
func compare(t *testing.T, sent, stored map[string]any) {
	t.Helper()
	v := viewOf(t, sent)
	want, _, err := unstructured.NestedMap(stored, strings.Split(v.SpecPath, ".")...)
	if err != nil {
		t.Fatalf("reading the pod spec at %s: %v", v.SpecPath, err)
	}
	if diff := cmp.Diff(want, asMap(t, v.PodSpec)); diff != "" {
		t.Errorf("%s of %s (-API server +View):\n%s", v.SpecPath, v.Kind, diff)
	}
}

func viewOf(t *testing.T, sent map[string]any) *workload.View {
	t.Helper()
	raw, err := json.Marshal(sent)
	if err != nil {
		t.Fatal(err)
	}
	v, err := workload.Table{}.FromObject(raw)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// asMap turns a value into what the client makes of an answer.
func asMap(t *testing.T, value any) map[string]any {
	t.Helper()
	raw, err := json.Marshal(map[string]any{"apiVersion": "v1", "kind": "Spec", "spec": value})
	if err != nil {
		t.Fatal(err)
	}
	var u unstructured.Unstructured
	if err := u.UnmarshalJSON(raw); err != nil {
		t.Fatal(err)
	}
	return u.Object["spec"].(map[string]any)
}
