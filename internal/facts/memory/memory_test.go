package memory_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/forestall/forestall/internal/facts/fact"
	"github.com/forestall/forestall/internal/facts/memory"
)

func list(memory string) corev1.ResourceList {
	if memory == "" {
		return nil
	}
	return corev1.ResourceList{corev1.ResourceMemory: resource.MustParse(memory)}
}

// unit is what is expected of a limit: of those here, "128m" and "512" have a unit that few mean.
func unit(limit memory.Quantity) memory.Unit {
	switch limit.Text {
	case "512":
		return memory.Unit{Observation: fact.PresentAt(limit.Path), Instead: "512Mi", Bytes: 512 << 20}
	case "128m":
		return memory.Unit{Observation: fact.PresentAt(limit.Path), Milli: true, Exact: "0.128", Instead: "128Mi", Bytes: 128 << 20}
	}
	return memory.Unit{Observation: fact.AbsentAt(limit.Path)}
}

func TestObserve(t *testing.T) {
	const (
		limitPath, requestPath       = "spec.containers[0].resources.limits.memory", "spec.containers[0].resources.requests.memory"
		podLimitPath, podRequestPath = "spec.resources.limits.memory", "spec.resources.requests.memory"
	)
	noRequest := memory.Quantity{Observation: fact.AbsentAt(requestPath)}
	quantity := func(path string, bytes int64, text string, from memory.Source) memory.Quantity {
		return memory.Quantity{Observation: fact.PresentAt(path), Bytes: bytes, Text: text, From: from}
	}
	oneGi := resource.MustParse("1Gi")
	for _, tt := range []struct {
		name string
		in   memory.Input
		want memory.Facts
	}{
		{
			"nothing is set",
			memory.Input{},
			memory.Facts{Limit: memory.Quantity{Observation: fact.AbsentAt(limitPath)}, Request: noRequest},
		},
		{
			"the container's own come first",
			memory.Input{
				Container:    corev1.ResourceRequirements{Limits: list("1.5Gi"), Requests: list("1e3")},
				Pod:          &corev1.ResourceRequirements{Limits: list("4Gi"), Requests: list("2Gi")},
				DefaultLimit: &oneGi,
			},
			memory.Facts{
				Limit:   quantity(limitPath, 1536<<20, "1536Mi", memory.FromContainer),
				Request: quantity(requestPath, 1000, "1e3", memory.FromContainer),
				Written: memory.WrittenLimits,
			},
		},
		{
			"then the pod's",
			memory.Input{Pod: &corev1.ResourceRequirements{Limits: list("4Gi"), Requests: list("2Gi")}, DefaultLimit: &oneGi},
			memory.Facts{
				Limit:   quantity(podLimitPath, 4<<30, "4Gi", memory.FromPod),
				Request: quantity(podRequestPath, 2<<30, "2Gi", memory.FromPod),
			},
		},
		{
			"then the LimitRange's",
			memory.Input{DefaultLimit: &oneGi},
			memory.Facts{Limit: quantity(limitPath, 1<<30, "1Gi", memory.FromLimitRange), Request: noRequest},
		},
		{
			"zero is no limit",
			memory.Input{Container: corev1.ResourceRequirements{Limits: list("0")}},
			memory.Facts{Limit: memory.Quantity{Observation: fact.AbsentAt(limitPath)}, Request: noRequest, Written: memory.WrittenLimits},
		},
		{
			"a request alone",
			memory.Input{Container: corev1.ResourceRequirements{Requests: list("1Ki")}},
			memory.Facts{
				Limit:   memory.Quantity{Observation: fact.AbsentAt(limitPath)},
				Request: quantity(requestPath, 1024, "1Ki", memory.FromContainer), Written: memory.WrittenResources,
			},
		},
		{
			"bytes that few people mean",
			memory.Input{Container: corev1.ResourceRequirements{Limits: list("512")}},
			memory.Facts{Limit: quantity(limitPath, 512, "512", memory.FromContainer), Request: noRequest, Written: memory.WrittenLimits},
		},
		{
			"bytes that make no sense as mebibytes",
			memory.Input{Container: corev1.ResourceRequirements{Limits: list("65537")}},
			memory.Facts{Limit: quantity(limitPath, 65537, "65537", memory.FromContainer), Request: noRequest, Written: memory.WrittenLimits},
		},
		{
			"a fraction of a byte is rounded up",
			memory.Input{Container: corev1.ResourceRequirements{Limits: list("128m")}},
			memory.Facts{Limit: quantity(limitPath, 1, "128m", memory.FromContainer), Request: noRequest, Written: memory.WrittenLimits},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.in.ContainerPath, tt.in.PodPath = "spec.containers[0]", "spec"
			tt.want.Unit, tt.want.Need, tt.want.Demand = unit(tt.want.Limit),
				memory.Need{Observation: fact.AbsentAt(tt.want.Limit.Path)},
				memory.Demand{Observation: fact.AbsentAt(tt.in.ContainerPath), Near: fact.AbsentAt(tt.in.ContainerPath)}
			if diff := cmp.Diff(tt.want, memory.Observe(tt.in)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestUnit holds for which numbers mebibytes are the one thing that can have been meant.
func TestUnit(t *testing.T) {
	for text, want := range map[string]memory.Unit{
		"64Mi":    {},
		"16":      {Instead: "16Mi", Bytes: 16 << 20},
		"8192":    {Instead: "8192Mi", Bytes: 8 << 30},
		"8":       {}, // gibibytes as likely
		"65536":   {}, // 64Ki as likely
		"128m":    {Milli: true, Exact: "0.128", Instead: "128Mi", Bytes: 128 << 20},
		"1m":      {Milli: true, Exact: "0.001"},
		"65536m":  {Milli: true, Exact: "65.536"},
		"0.5":     {Milli: true, Exact: "0.5"},
		"512000m": {Milli: true, Exact: "512"},
	} {
		want.Observation = fact.AbsentAt("c.resources.limits.memory")
		if want.Milli || want.Instead != "" {
			want.State = fact.Present
		}
		facts := memory.Observe(memory.Input{
			Container: corev1.ResourceRequirements{Limits: list(text)}, ContainerPath: "c",
			Written: map[string]string{"c.resources.limits.memory": text},
		})
		if facts.Limit.Text != text {
			t.Errorf("%s is shown as %s", text, facts.Limit.Text)
		}
		got := facts.Unit
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}
