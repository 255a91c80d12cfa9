package report_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/report"
)

// TestGroups shows what was asked of a running cluster: three groups, the rules that were right, and the nodes.
func TestGroups(t *testing.T) {
	object := func(name string) finding.Object {
		return finding.Object{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: name}
	}
	killed := []finding.Symptom{
		{Kind: finding.Terminated, Container: "api", Reason: "OOMKilled", ExitCode: new(int32(137)), Pods: 3},
		{Kind: finding.Restarts, Container: "api", Count: 7, Pods: 3},
	}
	r := audit.Result{
		Findings: []finding.Finding{
			{
				Rule: "image-tag-mutable", Level: finding.Audit, Object: object("web"), Container: "web", Reason: "no tag, so latest",
				Status: finding.Predicted, Pods: 2,
			},
			{
				Rule: "memory-demand-exceeds-limit", Level: finding.Deny, Object: object("api"), Container: "api", Reason: "a heap of 2Gi, limits.memory is 1Gi",
				Status: finding.Happening, Pods: 12, Evidence: killed,
			},
		},
		Troubles: []finding.Trouble{{
			Object: object("cart"), Container: "cart", Pods: 1, Reason: "StartError, exit code 128", Known: "The runtime could not start the command.",
			Evidence: []finding.Symptom{
				{Kind: finding.Terminated, Container: "cart", Reason: "StartError", ExitCode: new(int32(128)), Pods: 1},
				{Kind: finding.Restarts, Container: "cart", Count: 1, Pods: 1},
			},
		}},
		Summary: audit.Summary{
			Objects: 3, Judged: 3, Findings: audit.Levels{Deny: 1, Audit: 1}, Troubles: 1,
			Cluster: &audit.Cluster{
				Name: "prod", Context: "prod-admin", Version: "v1.36.3", Pods: 15,
				Rules: []audit.RuleEvidence{{Rule: "image-tag-mutable", Findings: 4}, {Rule: "memory-demand-exceeds-limit", Findings: 9, Happening: 7}},
				Nodes: []audit.Node{
					{Name: "n1", ReadySince: time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC), Flaps: 3, Pressure: []string{"MemoryPressure"}, Pods: 4, Memory: 4 << 30, Limits: 2 << 30},
					{Name: "n2", Ready: true, Pods: 9, Unlimited: 2, Memory: 4 << 30, Limits: 9<<30 + 1<<29},
					{Name: "n3", Ready: true, Memory: 4 << 30},
					{Name: "n4", Ready: true, Memory: 4 << 30},
				},
			},
		},
	}
	const want = `Predicted and happening (1)

LEVEL  RULE                         OBJECT                                REASON                               EVIDENCE
deny   memory-demand-exceeds-limit  Deployment/shop/api, api and 12 pods  a heap of 2Gi, limits.memory is 1Gi  OOMKilled, exit code 137, 7 restarts, in 3 of 12 pods

Failing without a prediction (1)

OBJECT                      REASON                     EVIDENCE   WHAT IS KNOWN
Deployment/shop/cart, cart  StartError, exit code 128  1 restart  The runtime could not start the command.

Predicted (1)

LEVEL  RULE               OBJECT                               REASON
audit  image-tag-mutable  Deployment/shop/web, web and 2 pods  no tag, so latest

NODE  STATE                                                                            PODS  WITHOUT LIMIT  MEMORY LIMITS
n1    NotReady since 2026-11-22 09:00, NotReady 3 times in the events, MemoryPressure  4     0              2Gi of 4Gi
n2    Ready                                                                            9     2              9.5Gi of 4Gi (237%)
2 other nodes are fine

RULE                         CONFIRMED HERE
memory-demand-exceeds-limit  7 of 9 are happening

cluster prod (context prod-admin, Kubernetes v1.36.3): 15 pods, 3 objects, 3 judged: 1 deny, 0 warn, 1 audit, 1 failing without a prediction
Why, and how to fix it: forestall explain memory-demand-exceeds-limit
`
	var b bytes.Buffer
	sink, err := report.Audit(&b, report.Table, report.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Tell(sink); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
