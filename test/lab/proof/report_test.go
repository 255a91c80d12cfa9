package proof

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite golden files")

func TestMarkdown(t *testing.T) {
	fails := tracked()
	fails.Name, fails.Manifest = "loop", "fail-loop.yaml"
	works := Case{Name: "patched", Manifest: "proof-pair.yaml", Patched: true, PodsMemory: "400Mi"}
	report := Report{
		Ground: Ground{Kubernetes: "v1.36.3", Containerd: "2.4.2", Runc: "1.5.2", Kernel: "6.18.0", Cgroups: 1},
		Rules: []RuleReport{
			{
				ID: "command-exits", Predicted: "CrashLoopBackOff",
				Fails: []CaseReport{
					{
						Case: fails, Denied: "Pod \"web\" would fail: (1 problem)\n\n1. and why", Sightings: []Sighting{
							{"phase Pending", 400 * time.Millisecond},
							{"waiting, CrashLoopBackOff: a | b", 12*time.Second + 1},
							{"not seen: phase: Succeeded", 10 * time.Second},
						},
					},
					{Case: Case{Name: "other", Manifest: "fail-other.yaml"}, Err: errors.New("not seen within 1m0s:\n    phase: Running")},
				},
				Works: []CaseReport{{Case: works, Patched: "forestall: web: added", Sightings: []Sighting{{"terminated, OOMKilled, exit code 137", time.Second}}}},
			},
			{ID: "needs-a-gpu", Predicted: "Pending", Unproved: "the machine has no GPU"},
		},
	}
	golden := filepath.Join("testdata", "proofs.golden")
	got := report.Markdown()
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if diff := cmp.Diff([]string{"command-exits/other"}, report.Failed()); diff != "" {
		t.Errorf("failed cases, -want +got:\n%s", diff)
	}
}
