// Package clustertest fills Stores for tests.
package clustertest

import (
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/forestall/forestall/internal/cluster"
)

// OfFiles returns the Store of files with these objects, which are written in YAML.
func OfFiles(t testing.TB, complete bool, objects ...string) *cluster.Store {
	t.Helper()
	s := cluster.OfFiles(complete)
	for _, object := range objects {
		raw, err := yaml.YAMLToJSON([]byte(object))
		if err != nil {
			t.Fatal(err)
		}
		var head struct{ APIVersion, Kind string }
		if err := yaml.Unmarshal(raw, &head); err != nil {
			t.Fatal(err)
		}
		if err := s.Add(head.APIVersion, head.Kind, raw); err != nil {
			t.Fatal(err)
		}
	}
	return s
}
