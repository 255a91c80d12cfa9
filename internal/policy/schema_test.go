package policy_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/invopop/jsonschema"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/forestall/forestall/internal/policy"
)

var update = flag.Bool("update", false, "rewrite golden and generated files")

// TestInputSchemaIsGenerated holds the committed schema to the Go type of the
// input document; -update writes it.
func TestInputSchemaIsGenerated(t *testing.T) {
	file := filepath.Join("..", "..", "policies", filepath.FromSlash(policy.SchemaFile))
	want := generateSchema(t)
	if *update {
		if err := os.WriteFile(file, want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("the schema is not what the Go types say; run make generate (-want +committed):\n%s", diff)
	}
}

func generateSchema(t *testing.T) []byte {
	t.Helper()
	r := jsonschema.Reflector{
		Anonymous:      true, // no $id: the schema has no address of its own
		ExpandedStruct: true, // the document at the root, not a reference to it
		Mapper:         kubernetesTypes,
		Namer:          qualified,
	}
	s := r.Reflect(&policy.Input{})
	s.Version = "http://json-schema.org/draft-07/schema#" // the newest draft that OPA reads
	s.Title = "The input document of forestall's rules, version " + policy.InputVersion
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", "  ")
	if err := e.Encode(s); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// qualified keeps types of the same name in different packages apart. Lists, maps
// and pointers have no name; one for all of them would make one type of them.
func qualified(t reflect.Type) string {
	if t.Name() == "" {
		return ""
	}
	return path.Base(t.PkgPath()) + "." + t.Name()
}

// kubernetesTypes gives the JSON form of the API types that encode themselves.
func kubernetesTypes(t reflect.Type) *jsonschema.Schema {
	switch t {
	case reflect.TypeFor[resource.Quantity]():
		return &jsonschema.Schema{Type: "string"}
	case reflect.TypeFor[intstr.IntOrString]():
		return &jsonschema.Schema{OneOf: []*jsonschema.Schema{{Type: "integer"}, {Type: "string"}}}
	case reflect.TypeFor[metav1.Time](), reflect.TypeFor[metav1.MicroTime]():
		return &jsonschema.Schema{Type: "string", Format: "date-time"}
	case reflect.TypeFor[metav1.FieldsV1](), reflect.TypeFor[json.RawMessage]():
		return &jsonschema.Schema{Type: "object"}
	case reflect.TypeFor[map[string]map[string]any]():
		return anyParams()
	}
	return nil
}

// anyParams is open: which parameters there are is said by the rules.
func anyParams() *jsonschema.Schema {
	inner := &jsonschema.Schema{Type: "object", AdditionalProperties: jsonschema.TrueSchema}
	return &jsonschema.Schema{Type: "object", AdditionalProperties: inner}
}
