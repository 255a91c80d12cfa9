package defaults

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/forestall/forestall/internal/workload"
)

// TestKnownDifferences holds the list of known differences to be true and
// complete: each Pod differs in the field that it names, and in nothing else.
func TestKnownDifferences(t *testing.T) {
	api := startServer(t)
	pod := workload.Table{}.Kinds()[0]
	for _, sent := range readObjects(t, "testdata/known/differences.yaml") {
		u := unstructured.Unstructured{Object: sent}
		t.Run(u.GetName(), func(t *testing.T) {
			stored, err := dryRun(t.Context(), api, pod.GroupVersionResource(), sent)
			if err != nil {
				t.Fatal(err)
			}
			server, view := stored.Object["spec"], any(asMap(t, viewOf(t, sent).PodSpec))
			if cmp.Equal(server, view) {
				t.Error("no difference any more")
			}
			field := u.GetAnnotations()["field"]
			but := cmpopts.IgnoreMapEntries(func(name string, _ any) bool { return name == field })
			if diff := cmp.Diff(server, view, but); diff != "" {
				t.Errorf("another difference than %s (-API server +View):\n%s", field, diff)
			}
		})
	}
}
