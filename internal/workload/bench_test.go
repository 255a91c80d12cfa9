package workload

import (
	"encoding/json"
	"testing"

	corev1 "k8s.io/api/core/v1"
	sigsjson "sigs.k8s.io/json"
)

// BenchmarkFromObject compares the cost of a View with that of decoding alone.
func BenchmarkFromObject(b *testing.B) {
	raw := benchmarkPod(b)
	b.Run("FromObject", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := (Table{}).FromObject(raw); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("decoding alone", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if err := sigsjson.UnmarshalCaseSensitivePreserveInts(raw, new(corev1.Pod)); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// benchmarkPod is a pod of three containers as an API server would send it.
func benchmarkPod(b *testing.B) []byte {
	b.Helper()
	container := func(name string) map[string]any {
		probe := map[string]any{"httpGet": map[string]any{"path": "/healthz", "port": 8080}, "periodSeconds": 10}
		return map[string]any{
			"name": name, "image": "registry.example.com:5000/team/" + name + ":1.2.3",
			"args":          []any{"--listen=:8080", "--log-level=info"},
			"ports":         []any{map[string]any{"name": "http", "containerPort": 8080}},
			"livenessProbe": probe, "readinessProbe": probe,
			"resources": map[string]any{
				"limits":   map[string]any{"cpu": "500m", "memory": "512Mi"},
				"requests": map[string]any{"cpu": "100m", "memory": "256Mi"},
			},
			"env": []any{
				map[string]any{"name": "A", "value": "a"},
				map[string]any{"name": "B", "valueFrom": map[string]any{"fieldRef": map[string]any{"fieldPath": "metadata.name"}}},
			},
			"volumeMounts": []any{map[string]any{"name": "config", "mountPath": "/etc/config", "readOnly": true}},
		}
	}
	raw, err := json.Marshal(map[string]any{
		"apiVersion": "v1", "kind": "Pod",
		"metadata": map[string]any{"name": "web", "namespace": "shop", "labels": map[string]any{"app": "web"}},
		"spec": map[string]any{
			"containers": []any{container("web"), container("worker"), container("proxy")},
			"volumes":    []any{map[string]any{"name": "config", "configMap": map[string]any{"name": "web"}}},
		},
	})
	if err != nil {
		b.Fatal(err)
	}
	return raw
}
