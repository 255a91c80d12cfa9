package review

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/workload"
)

func containers(names ...string) *workload.View {
	v := &workload.View{SpecPath: "spec"}
	for _, name := range names {
		c := workload.Container{}
		c.Name = name
		v.Containers = append(v.Containers, c)
	}
	return v
}

// of is a finding of a rule about one cause in one container.
func of(rule, container, cause, path string, l finding.Level, c finding.Certainty) finding.Finding {
	return finding.Finding{Rule: rule, Container: container, Cause: cause, Path: path, Field: path, Level: l, Certainty: c}
}

func TestArrange(t *testing.T) {
	const memory, lifetime = "memory-demand", "lifetime"
	got := arrange([]finding.Finding{
		of("thin", "a", memory, "x", finding.Warn, finding.Likely),
		of("thin", "b", memory, "x", finding.Warn, finding.Likely),
		of("exits", "a", lifetime, "x", finding.Deny, finding.Certain),
		of("exits", "b", lifetime, "x", finding.Deny, finding.Certain),
		of("exceeds", "a", memory, "y", finding.Deny, finding.Certain),
		of("exceeds", "a", memory, "x", finding.Deny, finding.Certain),
	}, containers("b", "a"))
	first := of("exceeds", "a", memory, "x", finding.Deny, finding.Certain)
	first.Merged = []finding.Identity{{Rule: "thin", Container: "a", Field: "x"}}
	want := []finding.Finding{
		of("exits", "b", lifetime, "x", finding.Deny, finding.Certain),
		first,
		of("exceeds", "a", memory, "y", finding.Deny, finding.Certain),
		of("exits", "a", lifetime, "x", finding.Deny, finding.Certain),
		// thin of "a" has the cause that exceeds tells; thin of "b" stands alone.
		of("thin", "b", memory, "x", finding.Warn, finding.Likely),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestNothingQuietHidesADenial: what tells a cause has the strongest level of all that share it, and
// is new where one of them is.
func TestNothingQuietHidesADenial(t *testing.T) {
	sure := of("sure", "a", "port/8080", "x", finding.Audit, finding.Certain)
	unsure := of("unsure", "a", "port/8080", "y", finding.Deny, finding.Likely)
	old := of("old", "a", "port/8080", "z", finding.Warn, finding.Likely)
	sure.Existing, old.Existing = true, true

	want := sure
	want.Level, want.Existing = finding.Deny, false
	want.Merged = []finding.Identity{unsure.Identity(), old.Identity()}
	if diff := cmp.Diff([]finding.Finding{want}, arrange([]finding.Finding{old, sure, unsure}, containers("a"))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}

	want = sure
	want.Level, want.Merged = finding.Warn, []finding.Identity{old.Identity()}
	if diff := cmp.Diff([]finding.Finding{want}, arrange([]finding.Finding{old, sure}, containers("a"))); diff != "" {
		t.Errorf("old findings alone (-want +got):\n%s", diff)
	}
}

func TestFields(t *testing.T) {
	v := containers("web", "other")
	v.Containers[0].Path = "spec.containers[1]"
	v.Containers[1].Path = "spec.containers[10]"
	v.PodSpec.Volumes = []corev1.Volume{{Name: "cache"}}
	for _, tt := range []struct{ path, want string }{
		{"spec.containers[1].args[3]", "spec.containers[name=web].args"},
		{"spec.containers[10].livenessProbe", "spec.containers[name=other].livenessProbe"},
		{"spec.containers[1]", "spec.containers[name=web]"},
		{"spec.restartPolicy", "spec.restartPolicy"},
		{"spec.containers", "spec.containers"},
		{"spec.volumes[0].emptyDir", "spec.volumes[name=cache].emptyDir"},
		{"spec.volumes[1].emptyDir", "spec.volumes[1].emptyDir"},
		{"specs.containers[1]", "specs.containers[1]"},
		{"spec.containers[1].resources.limits[nvidia.com/gpu]", "spec.containers[name=web].resources.limits[nvidia.com/gpu]"},
	} {
		if got := fieldsOf(&judged{view: v}).of(tt.path); got != tt.want {
			t.Errorf("of(%s) = %s, want %s", tt.path, got, tt.want)
		}
	}
}
