package cpu_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/forestall/forestall/internal/facts/cpu"
	"github.com/forestall/forestall/internal/facts/fact"
)

func list(cpu string) corev1.ResourceList {
	if cpu == "" {
		return nil
	}
	return corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(cpu)}
}

func TestObserve(t *testing.T) {
	const requests, limits = "c.resources.requests.cpu", "c.resources.limits.cpu"
	absent := cpu.Request{Observation: fact.AbsentAt(requests)}
	for name, tt := range map[string]struct {
		request, limit string
		want           cpu.Request
	}{
		"nothing":                 {"", "", absent},
		"none":                    {"0", "200", absent},
		"millicores":              {"100m", "1000m", cpu.Request{Observation: fact.PresentAt(requests), Text: "100m"}},
		"one core":                {"1", "200", cpu.Request{Observation: fact.PresentAt(requests), Cores: 1, Text: "1", Instead: "1m"}},
		"a large machine":         {"96", "", cpu.Request{Observation: fact.PresentAt(requests), Cores: 96, Text: "96", Instead: "96m"}},
		"nearly a hundred":        {"99500m", "", cpu.Request{Observation: fact.PresentAt(requests), Cores: 99, Text: "99500m"}},
		"whole cores":             {"200", "", cpu.Request{Observation: fact.PresentAt(requests), Cores: 200, Text: "200", Instead: "200m"}},
		"a limit alone":           {"", "1000", cpu.Request{Observation: fact.PresentAt(limits), Cores: 1000, Text: "1000", Instead: "1000m"}},
		"a unit of memory":        {"100Mi", "", cpu.Request{Observation: fact.PresentAt(requests), Cores: 100 << 20, Text: "100Mi", Binary: true, Instead: "100m"}},
		"more memory":             {"1Gi", "", cpu.Request{Observation: fact.PresentAt(requests), Cores: 1 << 30, Text: "1Gi", Binary: true}},
		"the same in both":        {"200", "200", cpu.Request{Observation: fact.PresentAt(requests), Cores: 200, Text: "200", Instead: "200m", Also: limits}},
		"another limit":           {"200", "400", cpu.Request{Observation: fact.PresentAt(requests), Cores: 200, Text: "200", Instead: "200m"}},
		"half a core":             {"1500500m", "", cpu.Request{Observation: fact.PresentAt(requests), Cores: 1500, Text: "1500500m"}},
		"a thousand":              {"1k", "", cpu.Request{Observation: fact.PresentAt(requests), Cores: 1000, Text: "1000", Instead: "1000m"}},
		"too many for millicores": {"100000", "", cpu.Request{Observation: fact.PresentAt(requests), Cores: 100_000, Text: "100000"}},
		"too many mebibytes":      {"100000Mi", "", cpu.Request{Observation: fact.PresentAt(requests), Cores: 100_000 << 20, Text: "100000Mi", Binary: true}},
		"millions":                {"100M", "", cpu.Request{Observation: fact.PresentAt(requests), Cores: 100_000_000, Text: "100M"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := cpu.Observe(corev1.ResourceRequirements{Requests: list(tt.request), Limits: list(tt.limit)}, "c")
			if diff := cmp.Diff(tt.want, got.Request); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
