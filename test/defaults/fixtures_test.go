package defaults

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"

	"github.com/forestall/forestall/internal/workload"
)

// readPods reads the Pods of all files in testdata.
func readPods(t *testing.T) []map[string]any {
	t.Helper()
	files, err := filepath.Glob("testdata/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("looking for fixtures: %v, %v", files, err)
	}
	var pods []map[string]any
	for _, file := range files {
		pods = append(pods, readObjects(t, file)...)
	}
	return pods
}

// readObjects reads the documents of one file that are objects.
func readObjects(t *testing.T, file string) []map[string]any {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var objects []map[string]any
	documents := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(text)))
	for {
		document, err := documents.Read()
		if errors.Is(err, io.EOF) {
			return objects
		}
		var object map[string]any
		if err := errors.Join(err, yaml.Unmarshal(document, &object)); err != nil {
			t.Fatalf("reading %s: %v", file, err)
		}
		if object != nil {
			objects = append(objects, object)
		}
	}
}

// wrapping is what a kind wants beside its pod template.
type wrapping struct {
	spec map[string]any
	// restart is the policy for a pod that has none of its own; only lists those
	// that the kind accepts.
	restart string
	only    []string
}

func wrappings() map[string]wrapping {
	labels := map[string]any{"app": "fixture"}
	selector := map[string]any{"selector": map[string]any{"matchLabels": labels}}
	always := wrapping{spec: selector, only: []string{"", "Always"}}
	return map[string]wrapping{
		"Pod":                   {},
		"PodTemplate":           {},
		"ReplicationController": {spec: map[string]any{"selector": labels}, only: always.only},
		"ReplicaSet":            always,
		"Deployment":            always,
		"StatefulSet":           always,
		"DaemonSet":             always,
		"Job":                   {restart: "OnFailure", only: []string{"", "OnFailure", "Never"}},
		"CronJob":               {spec: map[string]any{"schedule": "@daily"}, restart: "OnFailure", only: []string{"", "OnFailure", "Never"}},
	}
}

// object builds an object of the kind around the spec of a Pod, or returns nil
// where the kind does not accept it.
func object(t *testing.T, k workload.Kind, pod map[string]any) map[string]any {
	t.Helper()
	pod = deepCopy(t, pod)
	meta, spec := pod["metadata"].(map[string]any), pod["spec"].(map[string]any)
	wrap := wrappings()[k.Kind]
	restart, _ := spec["restartPolicy"].(string)
	if !accepts(wrap.only, restart) || !accepts(kindsOf(meta), k.Kind) {
		return nil
	}
	if restart == "" && wrap.restart != "" {
		spec["restartPolicy"] = wrap.restart
	}
	if k.TemplatePath == "" {
		return pod
	}
	name := meta["name"]
	inner := map[string]any{"metadata": map[string]any{"labels": map[string]any{"app": "fixture"}}, "spec": spec}
	steps := strings.Split(k.TemplatePath, ".")
	for i := len(steps) - 1; i >= 0; i-- {
		inner = map[string]any{steps[i]: inner}
	}
	for field, value := range wrap.spec {
		inner["spec"].(map[string]any)[field] = value
	}
	inner["apiVersion"], inner["kind"] = k.APIVersion(), k.Kind
	inner["metadata"] = map[string]any{"name": name}
	return inner
}

// kindsOf reads the annotation that limits a fixture to some kinds.
func kindsOf(meta map[string]any) []string {
	annotations, _ := meta["annotations"].(map[string]any)
	kinds, _ := annotations["kinds"].(string)
	return strings.Fields(kinds)
}

// accepts reports whether a list that is not empty contains the value.
func accepts(list []string, value string) bool {
	for _, item := range list {
		if item == value {
			return true
		}
	}
	return len(list) == 0
}

func deepCopy(t *testing.T, object map[string]any) map[string]any {
	t.Helper()
	text, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	var result map[string]any
	if err := json.Unmarshal(text, &result); err != nil {
		t.Fatal(err)
	}
	return result
}
