package prove

import (
	"context"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// leastMemory is counted for a container that asks for less, or for nothing.
const leastMemory = 32 << 20

// share is what a case takes of the node, by its manifest.
func (r *running) share(ctx context.Context) (share, error) {
	objects, err := r.manifest(ctx, "")
	if err != nil {
		return share{}, err
	}
	all := share{starts: 1}
	for _, o := range objects {
		all = all.plus(shareOf(o))
	}
	return all, nil
}

// shareOf is what the pods of an object take.
func shareOf(o *unstructured.Unstructured) share {
	memory := containersMemory(o.Object)
	if memory == 0 {
		return share{} // it has no pods
	}
	pods := int64(1)
	if n, found, err := unstructured.NestedInt64(o.Object, "spec", "replicas"); err == nil && found {
		pods = n
	}
	return share{pods: int(pods), memory: pods * memory}
}

// containersMemory adds up what the containers ask for, wherever they are listed.
func containersMemory(node any) int64 {
	var sum int64
	switch node := node.(type) {
	case []any:
		for _, item := range node {
			sum += containersMemory(item)
		}
	case map[string]any:
		if _, ok := node["image"].(string); ok {
			return max(leastMemory, asked(node))
		}
		for _, value := range node {
			sum += containersMemory(value)
		}
	}
	return sum
}

// asked is the memory that a container asks for: its request, or else its limit.
func asked(container map[string]any) int64 {
	for _, field := range []string{"requests", "limits"} {
		text, found, err := unstructured.NestedString(container, "resources", field, "memory")
		if err != nil || !found {
			continue
		}
		if q, err := resource.ParseQuantity(text); err == nil {
			return q.Value()
		}
	}
	return 0
}
