package evidence_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/forestall/forestall/internal/builtin"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/policy"
	"github.com/forestall/forestall/test/lab/proof"
)

// TestProofsConfirm holds the METADATA of the rules against their proofs: what the lab sees when the manifest of a
// rule runs is what an audit calls happening. Each case that fails shows at least one thing that confirms the rule.
func TestProofsConfirm(t *testing.T) {
	engine, err := builtin.Engine(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	rules := engine.Rules()
	// What a cluster shows only later, or elsewhere.
	notShown := map[string]string{
		"probe-port-moved/exec":                      "the proof wants the kill alone, which has other causes as well",
		"keep-alive-hides-exit/background":           "Running and Ready is what the failure looks like",
		"keep-alive-hides-exit/service-start":        "Running and Ready is what the failure looks like",
		"keep-alive-hides-exit/only-waits":           "Running and Ready is what the failure looks like",
		"liveness-restart-policy/job-behind-service": "the pod is Succeeded",
	}
	for _, r := range rules {
		t.Run(r.ID, func(t *testing.T) {
			if (len(r.ConfirmedBy) == 0) == (r.Unconfirmed == "") {
				t.Fatal("METADATA has to have either confirmedBy or unconfirmed")
			}
			p, err := proof.Load(filepath.Join("..", "..", "policies", "forestall", "rules", r.ID, "testdata"))
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range p.Fails {
				_, excused := notShown[r.ID+"/"+c.Name]
				if got := confirms(r, c); got == (excused || r.Unconfirmed != "") {
					t.Errorf("case %s: confirmed %v", c.Name, got)
				}
			}
		})
	}
}

// confirms reports whether something that is expected of a case confirms the rule.
func confirms(r policy.Rule, c proof.Case) bool {
	return slices.ContainsFunc(c.Expect, func(e proof.Expectation) bool {
		return e.StillNot.Duration == 0 && slices.ContainsFunc(symptoms(e), func(s finding.Symptom) bool {
			return slices.ContainsFunc(r.ConfirmedBy, func(c finding.Confirmation) bool { return c.Fits(&s) })
		})
	})
}

// symptoms are what a Collector makes of a report as it is expected.
func symptoms(e proof.Expectation) []finding.Symptom {
	var all []finding.Symptom
	add := func(kind finding.SymptomKind, reason, message string) {
		all = append(all, finding.Symptom{Kind: kind, Reason: reason, Message: message})
	}
	if e.Waiting != nil {
		add(finding.Waiting, e.Waiting.Reason, e.Waiting.Message)
	}
	if e.Terminated != nil {
		s := finding.Symptom{Kind: finding.Terminated, Reason: e.Terminated.Reason}
		if e.Terminated.ExitCode != nil {
			s.ExitCode = new(int32(*e.Terminated.ExitCode))
		}
		all = append(all, s)
	}
	if e.Event != nil {
		add(finding.Event, e.Event.Reason, e.Event.Message)
	}
	if e.Condition != nil && e.Condition.Status == "False" {
		add(finding.Condition, e.Condition.Reason, "")
	}
	if e.Phase == "Failed" || e.Phase == "Succeeded" {
		add(finding.Phase, e.Phase, "")
	}
	if e.Reason != "" {
		add(finding.Phase, e.Reason, "")
	}
	if e.Running != nil && *e.Running {
		add(finding.Running, "Init", "")
		add(finding.Running, "Job", "")
	}
	if e.Service != nil && e.Service.Ready != nil && *e.Service.Ready == 0 {
		add(finding.Endpoints, "none", "")
	}
	if e.Service != nil && e.Service.Ready != nil && *e.Service.Ready > 0 && e.Service.Ports != nil && *e.Service.Ports == 0 {
		add(finding.Endpoints, "noPorts", "")
	}
	if e.Deployment != nil {
		add(finding.Condition, e.Deployment.Condition.Reason, ".image: ")
	}
	return all
}
