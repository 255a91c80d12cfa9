package hostile

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"sigs.k8s.io/yaml"
)

// TestMixedContainers puts containers of all fixtures together in ways that nobody tried. Rules
// speak about pods as a whole too: none may fail where several containers are alike, or even have
// one name, which the API server would refuse.
func TestMixedContainers(t *testing.T) {
	t.Parallel()
	files := fixtures(t)
	if len(files) < 60 {
		t.Fatalf("%d fixtures have containers", len(files))
	}
	random := rand.New(rand.NewPCG(1, 2))
	var text []byte
	for i := range 800 {
		file := files[i%len(files)] // most are of one fixture, several times
		lists := map[string][]any{"containers": {}, "initContainers": {}}
		for j := range 2 + random.IntN(6) {
			from := file
			if random.IntN(4) == 0 {
				from = files[random.IntN(len(files))]
			}
			c, list := maps.Clone(from[random.IntN(len(from))]), "containers"
			if random.IntN(4) == 0 {
				list = "initContainers"
			}
			maps.Copy(c, oddities()[random.IntN(len(oddities()))])
			if name := fmt.Sprintf("c%d", j); i%5 > 0 {
				c["name"] = name
			}
			lists[list] = append(lists[list], c)
		}
		spec := map[string]any{"containers": lists["containers"], "initContainers": lists["initContainers"]}
		text = append(text, encoded(t, pods(i, spec))...)
	}
	if result := audited(t, text); len(result.Findings) < 800 {
		t.Errorf("only %d findings", len(result.Findings))
	}
}

// oddities are fields by which containers of one pod get into each other's way; mostly none.
func oddities() []map[string]any {
	ports := func(number int) map[string]any {
		return map[string]any{"ports": []any{map[string]any{"name": "http", "containerPort": number}}}
	}
	return []map[string]any{
		{},
		{},
		{},
		ports(80), ports(81),
		{"readinessProbe": map[string]any{"httpGet": map[string]any{"port": "http"}}},
		{"livenessProbe": map[string]any{"tcpSocket": map[string]any{"port": 81}}},
		{"restartPolicy": "Always"},
	}
}

// pods is an object with the pod spec, of one kind after the other, among them those with most consequences.
func pods(i int, spec map[string]any) any {
	name := map[string]any{"name": fmt.Sprintf("mixed-%d", i), "labels": map[string]any{"app": "shop"}}
	template := map[string]any{"metadata": name, "spec": spec}
	switch i % 4 {
	case 0:
		return map[string]any{"apiVersion": "v1", "kind": "Pod", "metadata": name, "spec": spec}
	case 1:
		return map[string]any{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": name, "spec": map[string]any{"template": template}}
	case 2:
		spec["restartPolicy"] = "OnFailure"
		return map[string]any{"apiVersion": "batch/v1", "kind": "CronJob", "metadata": name, "spec": map[string]any{
			"concurrencyPolicy": "Forbid", "jobTemplate": map[string]any{"spec": map[string]any{"template": template}},
		}}
	}
	return map[string]any{"apiVersion": "v1", "kind": "List", "items": []any{
		map[string]any{"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": name, "spec": map[string]any{"replicas": 3, "template": template}},
		map[string]any{"apiVersion": "v1", "kind": "Service", "metadata": name, "spec": map[string]any{
			"selector": map[string]any{"app": "shop"}, "ports": []any{map[string]any{"port": 80, "targetPort": "http"}, map[string]any{"port": 8080}},
		}},
	}}
}

// fixtures are the containers of the fixtures of all rules, by file.
func fixtures(t *testing.T) [][]map[string]any {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", "policies", "forestall", "rules", "*", "testdata", "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var all [][]map[string]any
	for _, file := range files {
		var found []map[string]any
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, document := range bytes.Split(text, []byte("\n---\n")) {
			var o any
			if err := yaml.Unmarshal(document, &o); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			found = append(found, containersIn(o)...)
		}
		if len(found) > 0 {
			all = append(all, found)
		}
	}
	return all
}

// containersIn finds every container in a document, wherever it stands.
func containersIn(v any) []map[string]any {
	var all []map[string]any
	for _, at := range places(v, nil) {
		if list, _ := at[len(at)-1].(string); list == "containers" || list == "initContainers" {
			items, _ := valueAt(v, at).([]any)
			for _, item := range items {
				if c, ok := item.(map[string]any); ok {
					all = append(all, c)
				}
			}
		}
	}
	return all
}
