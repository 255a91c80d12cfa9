package review

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/policy"
	"github.com/forestall/forestall/internal/workload"
)

func TestArrange(t *testing.T) {
	r := &Reviewer{rules: map[string]policy.Rule{
		"exceeds": {ID: "exceeds", Custom: policy.Custom{Concern: "memory"}},
		"thin":    {ID: "thin", Custom: policy.Custom{Concern: "memory"}},
		"exits":   {ID: "exits", Custom: policy.Custom{Concern: "lifetime"}},
	}}
	v := &workload.View{Containers: make([]workload.Container, 2)}
	v.Containers[0].Name, v.Containers[1].Name = "b", "a"
	finding := func(rule, container, path string, l policy.Level, c policy.Certainty) Finding {
		return Finding{Finding: policy.Finding{Rule: rule, Container: container, Path: path}, Level: l, Certainty: c}
	}
	got := r.arrange([]Finding{
		finding("thin", "a", "x", policy.Warn, policy.Likely),
		finding("thin", "b", "x", policy.Warn, policy.Likely),
		finding("exits", "a", "x", policy.Deny, policy.Certain),
		finding("exits", "b", "x", policy.Deny, policy.Certain),
		finding("exceeds", "a", "y", policy.Deny, policy.Certain),
		finding("exceeds", "a", "x", policy.Deny, policy.Certain),
	}, v)
	want := []Finding{
		finding("exits", "b", "x", policy.Deny, policy.Certain),
		finding("exceeds", "a", "x", policy.Deny, policy.Certain),
		finding("exceeds", "a", "y", policy.Deny, policy.Certain),
		finding("exits", "a", "x", policy.Deny, policy.Certain),
		// thin of "a" has the cause that exceeds tells; thin of "b" stands alone.
		finding("thin", "b", "x", policy.Warn, policy.Likely),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestIdentify(t *testing.T) {
	v := &workload.View{SpecPath: "spec", Containers: make([]workload.Container, 11)}
	v.Containers[1].Name, v.Containers[1].Path = "web", "spec.containers[1]"
	v.Containers[10].Name, v.Containers[10].Path = "other", "spec.containers[10]"
	for _, tt := range []struct{ path, want string }{
		{"spec.containers[1].args[3]", "spec.containers[name=web].args"},
		{"spec.containers[10].livenessProbe", "spec.containers[name=other].livenessProbe"},
		{"spec.containers[1]", "spec.containers[name=web]"},
		{"spec.restartPolicy", "spec.restartPolicy"},
		{"spec.containers[1].resources.limits[nvidia.com/gpu]", "spec.containers[name=web].resources.limits[nvidia.com/gpu]"},
	} {
		got := identify(policy.Finding{Rule: "r", Path: tt.path}, v)
		if want := (Identity{Rule: "r", Field: tt.want}); got != want {
			t.Errorf("identify(%s) = %v, want %v", tt.path, got, want)
		}
	}
}
