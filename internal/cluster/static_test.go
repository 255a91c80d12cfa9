package cluster_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/forestall/forestall/internal/cluster"
)

func TestStatic(t *testing.T) {
	var s cluster.Static
	for _, object := range []string{
		"{apiVersion: v1, kind: Service, metadata: {name: web}, spec: {selector: {app: web}, ports: [{port: 80, targetPort: http}, {port: 443}]}}",
		"{apiVersion: v1, kind: Service, metadata: {name: web}, spec: {selector: {app: web}, ports: [{port: 80, targetPort: http}, {port: 443}]}}",
		"{apiVersion: v1, kind: Service, metadata: {name: all, namespace: default}, spec: {selector: {team: shop}, ports: 1}}",
		"{apiVersion: v1, kind: Service, metadata: {name: narrow}, spec: {selector: {app: web, tier: x}}}",
		"{apiVersion: v1, kind: Service, metadata: {name: elsewhere, namespace: other}, spec: {selector: {app: web}}}",
		"{apiVersion: v1, kind: Service, metadata: {name: outside}, spec: {externalName: example.com}}",
		"{apiVersion: example.com/v1, kind: Service, metadata: {name: robot}, spec: {selector: 1}}",
		"{apiVersion: v1, kind: LimitRange, metadata: {name: pods, namespace: other}, spec: {limits: [{type: Pod, max: {memory: 9Gi}}]}}",
		"{apiVersion: v1, kind: LimitRange, metadata: {name: most, namespace: other}, spec: {limits: [{type: Container, max: {memory: 2Gi}}]}}",
		"{apiVersion: v1, kind: LimitRange, metadata: {name: given}, spec: {limits: [{type: Container, max: {memory: 2Gi}, default: {memory: 512Mi}, min: {memory: 64Mi}, maxLimitRequestRatio: {memory: 1500m}}]}}",
		"{apiVersion: v1, kind: LimitRange, metadata: {name: cpu, namespace: third}, spec: {limits: [{type: Container, default: {cpu: 1}}, {type: PersistentVolumeClaim, max: {memory: 1}}]}}",
	} {
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
	labels := map[string]string{"app": "web", "team": "shop"}
	targets := []cluster.ServicePort{{Service: "web", TargetPort: "443"}, {Service: "web", TargetPort: "http"}}
	given := []cluster.MemoryRange{{LimitRange: "given", Type: "Container", MinBytes: 64 << 20, MaxBytes: 2 << 30, MaxLimitRequestRatio: 1.5}}
	for _, tt := range []struct {
		namespace string
		want      cluster.Context
	}{
		{"", cluster.Context{Services: []string{"all", "web"}, ServicePorts: targets, DefaultMemoryLimit: &cluster.LimitRangeDefault{LimitRange: "given", Text: "512Mi"}, MemoryRanges: given}},
		{"default", cluster.Context{Services: []string{"all", "web"}, ServicePorts: targets, DefaultMemoryLimit: &cluster.LimitRangeDefault{LimitRange: "given", Text: "512Mi"}, MemoryRanges: given}},
		{"other", cluster.Context{Services: []string{"elsewhere"}, DefaultMemoryLimit: &cluster.LimitRangeDefault{LimitRange: "most", Text: "2Gi"}, MemoryRanges: []cluster.MemoryRange{
			{LimitRange: "pods", Type: "Pod", MaxBytes: 9 << 30},
			{LimitRange: "most", Type: "Container", MaxBytes: 2 << 30},
		}}},
		{"third", cluster.Context{}},
	} {
		if diff := cmp.Diff(tt.want, s.Context(tt.namespace, labels)); diff != "" {
			t.Errorf("namespace %q (-want +got):\n%s", tt.namespace, diff)
		}
	}
}

func TestStaticRefusesWhatItCannotRead(t *testing.T) {
	var s cluster.Static
	for _, tt := range []struct{ kind, raw string }{
		{"Service", `{"spec":{"selector":"app"}}`},
		{"LimitRange", `{"spec":{"limits":{}}}`},
		{"LimitRange", `{"spec":{"limits":[{"type":"Container","default":{"memory":"1e-99999999"}}]}}`},
	} {
		if err := s.Add("v1", tt.kind, []byte(tt.raw)); err == nil {
			t.Errorf("a broken %s was taken in: %s", tt.kind, tt.raw)
		}
	}
}

// TestStaticBoundsQuantitiesAlone: a number that is none does not take a LimitRange out.
func TestStaticBoundsQuantitiesAlone(t *testing.T) {
	var s cluster.Static
	raw := `{"metadata":{"annotations":{"commit":"1e99999999"}},"spec":{"limits":[{"type":"Container","max":{"memory":"2Gi"}}]}}`
	if err := s.Add("v1", "LimitRange", []byte(raw)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]cluster.MemoryRange{{Type: "Container", MaxBytes: 2 << 30}}, s.Context("", nil).MemoryRanges); diff != "" {
		t.Errorf("ranges (-want +got):\n%s", diff)
	}
}
