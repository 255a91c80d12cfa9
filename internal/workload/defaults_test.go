package workload

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"testing"

	"sigs.k8s.io/yaml"
)

// TestDefaults reads its cases from testdata/defaults.yaml.
func TestDefaults(t *testing.T) {
	text, err := os.ReadFile("testdata/defaults.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Name                string
		Give, Pod, Template map[string]any
	}
	if err := yaml.UnmarshalStrict(text, &cases); err != nil {
		t.Fatal(err)
	}
	pod, _ := Table{}.named("v1", "Pod")
	deployment, _ := Table{}.named("apps/v1", "Deployment")
	for _, c := range cases {
		t.Run(c.Name+"/Pod", func(t *testing.T) { checkSpec(t, pod, c.Give, c.Pod) })
		t.Run(c.Name+"/template", func(t *testing.T) { checkSpec(t, deployment, c.Give, c.Template) })
	}
}

func checkSpec(t *testing.T, k Kind, give, want map[string]any) {
	t.Helper()
	v, err := Table{}.FromObject(wrap(t, k, map[string]any{"metadata": map[string]any{}, "spec": give}))
	if err != nil {
		t.Fatal(err)
	}
	compare(t, "spec", want, asJSON(t, v.PodSpec))
}

func asJSON(t *testing.T, value any) any {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	var tree any
	if err := json.Unmarshal(text, &tree); err != nil {
		t.Fatal(err)
	}
	return tree
}

// compare holds got to every field of want.
func compare(t *testing.T, path string, want, got any) {
	t.Helper()
	switch want := want.(type) {
	case map[string]any:
		fields, ok := got.(map[string]any)
		if !ok {
			t.Errorf("%s: no object: %v", path, got)
		}
		for name, value := range want {
			compare(t, path+"."+name, value, fields[name])
		}
	case []any:
		items, ok := got.([]any)
		if !ok || len(items) != len(want) {
			t.Fatalf("%s: %d items wanted: %v", path, len(want), got)
		}
		for i, value := range want {
			compare(t, fmt.Sprintf("%s[%d]", path, i), value, items[i])
		}
	default:
		if !reflect.DeepEqual(want, got) {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
}
