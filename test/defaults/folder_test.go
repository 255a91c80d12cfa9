package defaults

import (
	"os"
	"path/filepath"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/forestall/forestall/internal/workload"
)

// folderVariable names a folder of manifests to compare as well, such as a
// checkout of somebody's charts, rendered.
const folderVariable = "FORESTALL_MANIFESTS"

// TestFolder compares the defaults on manifests that were not written for it.
// Objects that the API server refuses are listed and left out.
func TestFolder(t *testing.T) {
	folder := os.Getenv(folderVariable)
	if folder == "" {
		t.Skip(folderVariable + " names no folder")
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("looking for manifests in %s: %v, %v", folder, files, err)
	}
	api := startServer(t)
	for _, file := range files {
		for _, object := range readObjects(t, file) {
			u := unstructured.Unstructured{Object: object}
			k, ok := judged(u.GroupVersionKind())
			if !ok {
				continue
			}
			u.SetNamespace(namespace)
			t.Run(filepath.Base(file)+"/"+k.Kind+"/"+u.GetName(), func(t *testing.T) {
				stored, err := dryRun(t.Context(), api, k.GroupVersionResource(), object)
				if err != nil {
					t.Skipf("the API server refuses it: %v", err)
				}
				compare(t, object, stored.Object)
			})
		}
	}
}

func judged(gvk schema.GroupVersionKind) (workload.Kind, bool) {
	for _, k := range (workload.Table{}).Kinds() {
		if k.GroupVersionKind() == gvk {
			return k, true
		}
	}
	return workload.Kind{}, false
}
