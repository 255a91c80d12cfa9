package diagnosis_test

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/diagnosis"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/terminal"
)

var update = flag.Bool("update", false, "rewrite golden files")

func web() finding.Object {
	return finding.Object{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: "web"}
}

func code(n int32) *int32 { return &n }

func heap(status finding.Status, evidence ...finding.Symptom) finding.Finding {
	return finding.Finding{
		Rule: "memory-demand-exceeds-limit", Level: finding.Deny, Certainty: finding.Certain, Object: web(), Container: "api",
		Path:   "spec.template.spec.containers[0].args[1]",
		Reason: "OOMKilled, a heap of 2Gi is taken at the start and limits.memory is 1Gi",
		What:   "kubectl shows OOMKilled (exit code 137), then CrashLoopBackOff: the kubelet restarts it, for ever.",
		Why:    "-Xms2g with -XX:+AlwaysPreTouch takes 2Gi at once; limits.memory is 1Gi.",
		Fix:    "set limits.memory to the heap plus about 25% (2560Mi), or lower -Xms and -Xmx to 768m.",
		Status: status, Evidence: evidence,
	}
}

func mutable() finding.Finding {
	return finding.Finding{
		Rule: "image-tag-mutable", Level: finding.Audit, Certainty: finding.Possible, Object: web(), Container: "api",
		Path: "spec.template.spec.containers[0].image", Reason: "the tag latest may name another image tomorrow",
		What: "pods with different code.", Why: "latest moves.", Fix: "write the digest.", Status: finding.Predicted,
	}
}

func pull() finding.Trouble {
	return finding.Trouble{
		Object: web(), Container: "proxy", Pods: 1, Reason: "ImagePullBackOff", Known: "The image cannot be pulled: the registry has no such tag, or asks for credentials.",
		Evidence: []finding.Symptom{{Kind: finding.Waiting, Container: "proxy", Reason: "ImagePullBackOff", Pods: 1, Message: `Back-off pulling image "proxy:9"`}},
	}
}

func killed() []finding.Symptom {
	return []finding.Symptom{
		{Kind: finding.Terminated, Container: "api", Reason: "OOMKilled", ExitCode: code(137), Pods: 3},
		{Kind: finding.Restarts, Container: "api", Count: 7, Pods: 3},
		{Kind: finding.Event, Container: "api", Reason: "BackOff", Count: 2, Pods: 3, Message: "Back-off restarting failed container api in pod web-7d9"},
	}
}

// TestText reads each golden file as somebody would whose workload is in trouble.
func TestText(t *testing.T) {
	prod := audit.Summary{Cluster: &audit.Cluster{Name: "prod", Context: "prod-admin"}}
	for _, tt := range []struct {
		name  string
		found audit.Result
		log   *diagnosis.Log
		width int
	}{
		{
			name:  "happening",
			found: audit.Result{Summary: prod, Findings: []finding.Finding{mutable(), heap(finding.Happening, killed()...)}, Troubles: []finding.Trouble{pull()}},
			log: &diagnosis.Log{Pod: "web-7d9", Container: "api", Previous: true, Lines: []string{
				"1", "2", "3", "4", "5", "6", "7", "OpenJDK 64-Bit Server VM warning: \x1b[31mINFO: os::commit_memory(0x00000000c0000000, 1073741824, 0) failed", "killed",
			}},
			width: 80,
		},
		{
			name:  "unpredicted",
			found: audit.Result{Troubles: []finding.Trouble{pull()}},
			width: 80,
		},
		{
			name:  "at-risk",
			found: audit.Result{Findings: []finding.Finding{heap(finding.Predicted)}, Errors: []audit.Error{{Err: errors.New("a rule failed")}}},
		},
		{name: "hazard", found: audit.Result{Findings: []finding.Finding{mutable()}}},
		{name: "fine", found: audit.Result{Summary: prod}},
		{
			name:  "log-forbidden",
			found: audit.Result{Findings: []finding.Finding{heap(finding.Happening, killed()...)}},
			log:   &diagnosis.Log{Pod: "web-7d9", Container: "api", Previous: true, Unread: "Forbidden: this user may not get pods/log in namespace shop"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := diagnosis.Of(web(), 3, tt.found)
			d.Log = tt.log
			got := d.Text(terminal.Screen{Width: tt.width})
			golden := filepath.Join("testdata", tt.name+".golden")
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
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
