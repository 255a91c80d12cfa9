package report

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/policy"
)

var update = flag.Bool("update", false, "write the golden files")

// moment is when the reports of the tests are made.
func moment() time.Time { return time.Date(2026, 11, 20, 8, 30, 0, 0, time.UTC) }

func someOptions() Options {
	return Options{
		Version: "v0.1.0", Now: moment(),
		Rules: []policy.Rule{
			{ID: "command-exits", Title: "Command that ends at once", Description: "It has nothing to wait for.", Custom: policy.Custom{
				Category: "command", Certainty: finding.Certain, Level: finding.Deny, Remediation: "Run it in the foreground.",
			}},
			{ID: "probe-slow", Title: "Probe | that asks too early", Custom: policy.Custom{Category: "probe", Certainty: finding.Likely, Level: finding.Warn}},
		},
		Page: func(r policy.Rule) (string, error) { return "# " + r.Title + "\n", nil },
	}
}

// everything is a result with all that there is to tell, of files and of a cluster.
func everything() audit.Result {
	exit := int32(137)
	found := finding.Finding{
		Rule: "command-exits", Level: finding.Deny, Certainty: finding.Certain, Category: "command", Failure: "CrashLoopBackOff", Cause: "command",
		Object:    finding.Object{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: "web"},
		Container: "app", Path: "spec.template.spec.containers[0].command", Field: "spec.template.spec.containers[name=app].command",
		Source: finding.Source{File: "deploy/web.yaml", Line: 12},
		Reason: "CrashLoopBackOff, the script ends", What: "It restarts for ever.", Why: "The last command is \"nginx\".", Fix: "Run nginx -g 'daemon off;'.",
	}
	slow := found
	slow.Rule, slow.Level, slow.Certainty, slow.Category, slow.Field = "probe-slow", finding.Warn, finding.Likely, "probe", "spec.template.spec.containers[name=app].livenessProbe"
	slow.Source, slow.Reason = finding.Source{File: "deploy/a b:1,2%.yaml", Line: 3}, "restarts, 100% of the time"
	twice := found // the same object in another overlay
	twice.Source = finding.Source{File: "overlays/web.yaml", Line: 4}
	patched := found
	patched.Rule, patched.Patched, patched.Source = "limit-missing", true, finding.Source{File: "deploy/web.yaml"}
	hazard := found
	hazard.Rule, hazard.Level, hazard.Certainty, hazard.Source = "tag-mutable", finding.Audit, finding.Possible, finding.Source{File: stdin, Line: 2}
	hostile := found
	hostile.Object.Name, hostile.Container = "@ceo </code><img src=x>|#1 [x](http://e.vil)", "\x1b[31m\x00\u202e"
	hostile.Reason, hostile.Source = "www.evil.example `code` *bold*\r\n::error::no", finding.Source{File: "/abs/ü.yaml", Line: 1}
	seen := found
	seen.Source, seen.Object.Namespace, seen.Pods, seen.Status = finding.Source{}, "pay", 3, finding.Happening
	seen.Evidence = []finding.Symptom{{Kind: finding.Terminated, Container: "app", Reason: "OOMKilled", ExitCode: &exit, Count: 12, Pods: 2, Last: moment()}}
	return audit.Result{
		Summary: audit.Summary{
			Files: 4, Documents: 9, Objects: 9, Judged: 6, Findings: audit.Levels{Deny: 4, Warn: 1, Audit: 1},
			Patched: 1, Ignored: 1, Warnings: 1, Errors: 2, Troubles: 1, NotJudged: []audit.NotJudged{},
			Cluster: &audit.Cluster{Name: "prod", Context: "prod-eu", Server: "https://10.0.0.1", Version: "v1.36.3", Pods: 30},
		},
		Findings: []finding.Finding{found, slow, patched, twice, hostile, hazard, seen},
		Ignored:  []finding.Ignored{{Finding: slow, IgnoreReason: "known, see <OPS-17>"}},
		Troubles: []finding.Trouble{{
			Object: finding.Object{APIVersion: "apps/v1", Kind: "DaemonSet", Namespace: "pay", Name: "agent"}, Container: "agent", Pods: 2,
			Reason: "ImagePullBackOff", Known: "The image cannot be pulled.", Evidence: []finding.Symptom{{Kind: finding.Waiting, Reason: "ImagePullBackOff", Pods: 2}},
		}},
		Warnings: []audit.Warning{{Source: finding.Source{File: "deploy/web.yaml", Line: 5}, Message: "it does not count"}},
		Errors: []audit.Error{
			{Source: finding.Source{File: "deploy/broken.yaml", Line: 7}, Err: errors.New("reading YAML: no end\nof it")},
			{Source: finding.Source{File: "deploy/web.yaml", Line: 1}, Rule: "own-rule", Err: errors.New("own-rule: conflict")},
		},
	}
}

// told returns the report of a result.
func told(t *testing.T, r audit.Result, f Format, o Options) []byte {
	t.Helper()
	var b bytes.Buffer
	sink, err := Audit(&b, f, o)
	if err == nil {
		err = r.Tell(sink)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// nothing is the result of a run that finds nothing.
func nothing() audit.Result {
	return audit.Result{Summary: audit.Summary{Files: 1, Documents: 1, Objects: 1, Judged: 1, NotJudged: []audit.NotJudged{}}}
}

// TestFormats compares whole reports.
func TestFormats(t *testing.T) {
	for _, f := range []Format{NDJSON, SARIF, JUnit, Markdown, GitHub, GitLab, OpenReports, PolicyReport} {
		for name, r := range map[string]audit.Result{"everything": everything(), "nothing": nothing()} {
			t.Run(string(f)+"/"+name, func(t *testing.T) {
				got := told(t, r, f, someOptions())
				file := filepath.Join("testdata", "formats", string(f)+"-"+name+".golden")
				if *update {
					if err := os.WriteFile(file, got, 0o644); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(string(want), string(got)); diff != "" {
					t.Errorf("%s (-want +got):\n%s", file, diff)
				}
			})
		}
	}
}

// TestUnfinishedIsNeverClean: a run with an error and no finding differs in every format from a clean one, by more than a number.
func TestUnfinishedIsNeverClean(t *testing.T) {
	r := nothing()
	r.Errors = everything().Errors[:1]
	r.Summary.Errors = 1
	for _, f := range AuditFormats() {
		if got := told(t, r, f, someOptions()); !bytes.Contains(got, []byte("no end")) {
			t.Errorf("%s does not tell the error:\n%s", f, got)
		}
	}
}
