package defaults

import (
	"encoding/json"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// TestEphemeralContainers adds ephemeral containers to a stored Pod, the only way
// in which they can come to be.
func TestEphemeralContainers(t *testing.T) {
	pods := startServer(t).Resource(schema.GroupVersionResource{Version: "v1", Resource: "pods"}).Namespace(namespace)
	pod := readObjects(t, "testdata/pods.yaml")[0]
	created, err := pods.Create(t.Context(), &unstructured.Unstructured{Object: pod}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	debug := []any{
		map[string]any{"name": "latest", "image": "a"},
		map[string]any{
			"name": "tag", "image": "a:1", "targetContainerName": "a",
			"env": []any{map[string]any{"name": "A", "valueFrom": map[string]any{"fieldRef": map[string]any{"fieldPath": "metadata.name"}}}},
		},
	}
	sent := created.DeepCopy()
	if err := unstructured.SetNestedSlice(sent.Object, debug, "spec", "ephemeralContainers"); err != nil {
		t.Fatal(err)
	}
	patch, err := json.Marshal(map[string]any{"spec": map[string]any{"ephemeralContainers": debug}})
	if err != nil {
		t.Fatal(err)
	}
	stored, err := pods.Patch(t.Context(), created.GetName(), types.StrategicMergePatchType, patch,
		metav1.PatchOptions{DryRun: []string{metav1.DryRunAll}}, "ephemeralcontainers")
	if err != nil {
		t.Fatal(err)
	}
	compare(t, sent.Object, stored.Object)
}
