// Package apiservertest starts API servers for tests.
package apiservertest

import (
	"testing"

	"github.com/go-logr/logr"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/forestall/forestall/test/apiserver"
)

// Start starts a cluster and stops it when the test ends. It skips the test in short mode.
func Start(t *testing.T) *apiserver.Cluster {
	t.Helper()
	if testing.Short() {
		t.Skip("starts an API server")
	}
	log.SetLogger(logr.Discard()) // what clients log is told by their errors
	cluster, err := apiserver.Start(t.Context(), apiserver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := cluster.Stop(); err != nil {
			t.Error(err)
		}
	})
	return cluster
}
