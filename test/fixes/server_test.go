package fixes_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/forestall/forestall/test/apiserver"
)

// server is a real API server, asked what it would say.
type server struct {
	client client.Client
}

// startServer fails where the binaries of an API server are missing.
func startServer(t *testing.T) (*server, error) {
	if testing.Short() {
		return nil, errors.New("it takes an API server")
	}
	cluster, err := apiserver.Start(t.Context(), apiserver.Options{})
	if err != nil {
		return nil, err
	}
	t.Cleanup(func() {
		if err := cluster.Stop(); err != nil {
			t.Error(err)
		}
	})
	return &server{client: client.NewNamespacedClient(cluster.Client, "default")}, nil
}

// refusals returns what the API server says against the objects of a fixed manifest, and did not say against those
// of the manifest itself.
func (s *server) refusals(t *testing.T, before, after []byte) (problems []string) {
	old, new := objects(t, before), objects(t, after)
	if len(old) != len(new) {
		return []string{fmt.Sprintf("%d objects became %d", len(old), len(new))}
	}
	for i := range new {
		if fmt.Sprint(old[i]) == fmt.Sprint(new[i]) {
			continue
		}
		known := map[string]bool{}
		for _, cause := range s.create(t.Context(), old[i]) {
			known[cause] = true
		}
		for _, cause := range s.create(t.Context(), new[i]) {
			if !known[cause] {
				problems = append(problems, "the API server refuses it: "+cause)
			}
		}
	}
	return problems
}

// create returns why an object would be refused, cause by cause.
func (s *server) create(ctx context.Context, object map[string]any) []string {
	u := &unstructured.Unstructured{Object: object}
	u = u.DeepCopy()
	u.SetNamespace("")
	if u.GetName() == "" && u.GetGenerateName() == "" {
		u.SetGenerateName("unnamed-")
	}
	err := s.client.Create(ctx, u, client.DryRunAll, client.FieldValidation(metav1.FieldValidationStrict))
	var status apierrors.APIStatus
	if !errors.As(err, &status) || status.Status().Details == nil || len(status.Status().Details.Causes) == 0 {
		if err != nil {
			return []string{err.Error()}
		}
		return nil
	}
	var causes []string
	for _, c := range status.Status().Details.Causes {
		causes = append(causes, c.Field+": "+c.Message)
	}
	return causes
}

// objects reads a stream of documents; Lists are taken apart.
func objects(t *testing.T, text []byte) (all []map[string]any) {
	decoder := utilyaml.NewYAMLOrJSONDecoder(bytes.NewReader(text), 4096)
	for {
		object := map[string]any{}
		err := decoder.Decode(&object)
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Logf("what follows is not asked about: %v", err)
			return all
		}
		items, isList := object["items"].([]any)
		switch {
		case len(object) == 0:
		case !isList:
			all = append(all, object)
		}
		for _, item := range items {
			if o, ok := item.(map[string]any); ok {
				all = append(all, o)
			}
		}
	}
}
