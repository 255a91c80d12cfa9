package workload

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestWritten holds which amounts of memory are kept as they were written: what Kubernetes writes in another way, and
// nobody means.
func TestWritten(t *testing.T) {
	v, err := Table{}.FromObject([]byte(`{"apiVersion": "v1", "kind": "Pod", "spec": {
		"resources": {"limits": {"memory": "2000m"}},
		"containers": [
			{"name": "a", "resources": {"limits": {"memory": 0.5, "cpu": 0.5}, "requests": {"memory": "0.25"}}},
			{"name": "b", "resources": {"limits": {"memory": "100u"}}},
			{"name": "c", "resources": {"limits": {"memory": "128m"}}},
			{"name": "d", "resources": {"limits": {"memory": "1024Mi"}, "requests": {"memory": "0.5"}}}
		]}}`))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"spec.resources.limits.memory":                 "2000m",
		"spec.containers[0].resources.limits.memory":   "0.5",
		"spec.containers[0].resources.requests.memory": "0.25",
		"spec.containers[1].resources.limits.memory":   "100u",
	}
	if diff := cmp.Diff(want, v.Written); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
