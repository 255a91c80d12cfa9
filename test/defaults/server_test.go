// Package defaults compares the defaults that a View applies with those of a real
// API server: what a dry run of a request to create an object returns must be
// what internal/workload makes of the same JSON.
package defaults

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

const (
	// kubeBinaries is where "make kube-binaries" puts them, from here.
	kubeBinaries = "../../bin/kube-v1.36.3"
	namespace    = "default"
	startTimeout = time.Minute
)

// mutatingPlugins are the admission plugins that change a pod spec: they read
// other objects of the cluster, which no defaults can know. Without them the
// difference between what is sent and what comes back is the API's alone.
const mutatingPlugins = "ServiceAccount,DefaultTolerationSeconds,Priority,RuntimeClass,LimitRanger"

// startServer starts an API server with its etcd for the length of the test.
func startServer(t *testing.T) dynamic.Interface {
	t.Helper()
	if testing.Short() {
		t.Skip("starts an API server")
	}
	server := envtest.Environment{BinaryAssetsDirectory: binaries(t)}
	arguments := server.ControlPlane.GetAPIServer().Configure()
	arguments.Set("disable-admission-plugins", mutatingPlugins)
	arguments.Set("allow-privileged", "true")
	config, err := server.Start()
	if err != nil {
		t.Fatalf("starting an API server: %v", err)
	}
	t.Cleanup(func() {
		if err := server.Stop(); err != nil {
			t.Logf("stopping the API server: %v", err)
		}
	})
	config.QPS = -1 // no limit
	config.WarningHandler = rest.NoWarnings{}
	api, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatalf("making a client: %v", err)
	}
	awaitNamespace(t, api)
	return api
}

func binaries(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("KUBEBUILDER_ASSETS")
	if dir == "" {
		dir = kubeBinaries
	}
	for _, name := range []string{"kube-apiserver", "etcd"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Fatalf("%v: run make kube-binaries", err)
		}
	}
	return dir
}

// awaitNamespace waits for the namespace that the API server makes by itself.
func awaitNamespace(t *testing.T, api dynamic.Interface) {
	t.Helper()
	namespaces := api.Resource(schema.GroupVersionResource{Version: "v1", Resource: "namespaces"})
	ctx, cancel := context.WithTimeout(t.Context(), startTimeout)
	defer cancel()
	for {
		_, err := namespaces.Get(ctx, namespace, metav1.GetOptions{})
		if err == nil {
			return
		}
		if !apierrors.IsNotFound(err) {
			t.Fatalf("waiting for the namespace %s: %v", namespace, err)
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// dryRun asks the API server what it would store.
func dryRun(ctx context.Context, api dynamic.Interface, resource schema.GroupVersionResource, object map[string]any) (*unstructured.Unstructured, error) {
	return api.Resource(resource).Namespace(namespace).
		Create(ctx, &unstructured.Unstructured{Object: object}, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
}
