package lab

import (
	"path/filepath"
	"testing"
)

// TestBuiltBinaries holds that a lab looks where make lab-binaries puts them, for
// the folders that it was not given.
func TestBuiltBinaries(t *testing.T) {
	root, err := repositoryRoot()
	if err != nil {
		t.Fatal(err)
	}
	built := func(name, module string) string {
		version, err := required(filepath.Join(root, "test", name, "go.mod"), module)
		if err != nil {
			t.Fatal(err)
		}
		return filepath.Join(root, "bin", name+"-"+version)
	}
	got, err := Binaries{Runc: "/opt/runc"}.complete()
	if err != nil {
		t.Fatal(err)
	}
	want := Binaries{
		Kubernetes: built("kube", "k8s.io/kubernetes"),
		Containerd: built("containerd", "github.com/containerd/containerd/v2"),
		Runc:       "/opt/runc",
	}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestRequiredModuleIsMissing(t *testing.T) {
	_, err := required(filepath.Join("..", "kube", "go.mod"), "example.com/other")
	const want = "../kube/go.mod does not require example.com/other"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
