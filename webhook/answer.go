package webhook

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/forestall/forestall/internal/explain"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/policy"
	"github.com/forestall/forestall/internal/review"
)

// answer is a response and what metrics and logs say of it.
type answer struct {
	outcome  Outcome
	response admissionv1.AdmissionResponse
	object   finding.Object
	// sender says who sent an object that names a controller of Kubernetes as its owner.
	sender review.Sender
	// owner is the controller that the object belongs to, where it is of a judged kind.
	owner *review.Owner
	// skipped says why the object was not judged.
	skipped string
	// findings that the answer acts on: on /validate all of them, on /mutate those
	// that the patch repairs. Each is counted where it is acted on.
	findings []finding.Finding
	// ignored are the findings that annotations of the object take out.
	ignored []finding.Ignored
	// ruleErrors are the rules that gave no answer: each is a line in the log, a count and
	// a warning.
	ruleErrors []policy.RuleError
	// withheld are repairs that would have been no good: a limit that is added may be less
	// than what the command asks for. Their findings stand, and are for /validate to tell.
	withheld []policy.RuleError
	// unfinished says that the object was too large to be judged whole.
	unfinished bool
	// err is why there was no review.
	err error
}

// validated answers with a verdict: everything at once, warnings beside a denial too.
func validated(d review.Decision) answer {
	a := answer{
		outcome: OutcomeAllow, object: d.Object, sender: d.Sender, owner: d.Owner, skipped: d.Skipped, findings: d.Findings,
		ignored: d.Ignored, ruleErrors: d.Errors, unfinished: d.Unfinished != "",
	}
	a.response.Allowed = true
	a.response.Warnings = slices.Concat(explain.Warnings(d), noticed(d.Notices), unanswered(d.Errors), unfinished(d))
	switch {
	case d.Skipped != "":
		a.outcome = OutcomeSkip
	case d.Denied():
		a.outcome = OutcomeDeny
		if d.Level() != finding.Deny {
			a.outcome = OutcomeRefuseUnfinished
		}
		a.response.Allowed = false
		a.response.Result = denial(d)
	case len(a.response.Warnings) > 0:
		a.outcome = OutcomeWarn
	}
	return a
}

// refuseUnanswered refuses the object where a rule that may deny gave no answer. A denial stays
// as it is, since it says more.
func (a *answer) refuseUnanswered(d review.Decision) {
	at := slices.IndexFunc(d.Errors, func(e policy.RuleError) bool { return e.Level == finding.Deny })
	if at < 0 || !a.response.Allowed {
		return
	}
	a.outcome = OutcomeError
	a.response.Allowed = false
	a.response.Result = &metav1.Status{
		Status: metav1.StatusFailure, Code: http.StatusInternalServerError, Reason: metav1.StatusReasonInternalError,
		Message: "forestall: rule " + d.Errors[at].Rule + " could not answer, and the failure mode is fail",
	}
}

// mutated answers with a patch and says what it changes. What the patch leaves is
// for /validate to say.
func mutated(d review.Decision, r review.Repaired) (answer, error) {
	a := answer{
		outcome: OutcomeAllow, object: d.Object, owner: d.Owner, ruleErrors: d.Errors, withheld: r.Errors,
		unfinished: d.Unfinished != "",
	}
	a.response.Allowed = true
	a.response.Warnings = slices.Concat(explain.Repaired(r.Findings), unanswered(d.Errors), unfinished(d))
	if len(r.Patch) == 0 {
		if len(a.response.Warnings) > 0 {
			a.outcome = OutcomeWarn
		}
		return a, nil
	}
	raw, err := json.Marshal(r.Patch)
	if err != nil {
		return answer{}, fmt.Errorf("encoding the patch: %w", err)
	}
	a.outcome = OutcomePatch
	a.findings = r.Findings
	a.response.Patch, a.response.PatchType = raw, new(admissionv1.PatchTypeJSONPatch)
	return a, nil
}

// noticed warns of annotations that do not do what they seem to do.
func noticed(notices []review.Notice) []string {
	var lines []string
	for _, n := range notices {
		lines = append(lines, explain.Warning(n.Text))
	}
	return lines
}

// unanswered warns of the rules that gave no answer, each once. The reasons are for the log: the
// person who applied the object can do nothing about them. Where the failure mode is fail,
// refuseUnanswered decides besides.
func unanswered(errs []policy.RuleError) []string {
	var lines []string
	for _, e := range errs {
		line := explain.Warning("rule " + e.Rule + " could not answer")
		if !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return lines
}

// unfinished warns that the object was not judged as a whole, and may have more problems.
func unfinished(d review.Decision) []string {
	if d.Unfinished == "" || d.Refused != "" && d.Level() != finding.Deny { // the refusal says it
		return nil
	}
	return []string{explain.Warning(d.Unfinished + "; it may have problems that are not told here")}
}

// annotate notes the answer for the audit log. The same answer always gives the
// same annotations.
func (a *answer) annotate() {
	a.response.AuditAnnotations = map[string]string{"decision": string(a.outcome)}
	if ids := a.rules(); len(ids) > 0 {
		a.response.AuditAnnotations["rules"] = strings.Join(ids, ",")
	}
	if ids := a.ignoredRules(); len(ids) > 0 {
		a.response.AuditAnnotations["ignored"] = strings.Join(ids, ",")
	}
}

// ignoredRules returns the ids of the rules whose findings are ignored, sorted, each once.
func (a *answer) ignoredRules() []string {
	ids := make([]string, 0, len(a.ignored))
	for i := range a.ignored {
		ids = append(ids, a.ignored[i].Rule)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// ignoresDenial reports whether the object would be refused without its annotations.
func (a *answer) ignoresDenial() bool {
	return slices.ContainsFunc(a.ignored, func(i finding.Ignored) bool { return i.Level == finding.Deny })
}

// rules returns the ids of the rules that fired, sorted, each once.
func (a *answer) rules() []string {
	ids := make([]string, 0, len(a.findings))
	for _, f := range a.findings {
		ids = append(ids, f.Rule)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}
