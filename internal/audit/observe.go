package audit

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/forestall/forestall/internal/evidence"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/review"
)

// confirmedBy says what confirms the predictions of each rule.
func confirmedBy(r *review.Reviewer) evidence.Rules {
	by := map[string][]finding.Confirmation{}
	for _, rule := range r.Rules() {
		by[rule.ID] = rule.ConfirmedBy
	}
	return func(id string) []finding.Confirmation { return by[id] }
}

// observe puts what a running cluster reports of an object beside what was found in it.
func (v *verdict) observe(o *Object, rules evidence.Rules) {
	if !o.Observed || v.err != nil || v.decision.Skipped != "" {
		return
	}
	// What is ignored was predicted all the same.
	found := make([]*finding.Finding, 0, len(v.decision.Findings)+len(v.decision.Ignored))
	for i := range v.decision.Findings {
		found = append(found, &v.decision.Findings[i])
	}
	for i := range v.decision.Ignored {
		found = append(found, &v.decision.Ignored[i].Finding)
	}
	for _, f := range found {
		f.Pods = o.Pods
	}
	v.troubles = slices.DeleteFunc(rules.Match(v.decision.Object, found, o.Symptoms), o.lacks)
}

// lacks reports whether a trouble is about a container that the object does not have: one that something puts into its pods.
// The pods differ from the object then, and it is told with them.
func (o *Object) lacks(t finding.Trouble) bool {
	return t.Container != "" && !bytes.Contains(o.Subject.Object, strconv.AppendQuote(nil, t.Container))
}

// span is the part of the told findings that belongs to one object, and what is known of that object.
type span struct {
	object finding.Object
	beside *finding.Object
	// asked says that a cluster was asked about the object, and runs that it has pods, or needs none.
	asked, runs bool
	// findings, ignored and troubles are where those of the next object begin.
	findings, ignored, troubles int
}

// spanOf is the span of an object whose findings were told last.
func (t *told) spanOf(o *Object, d *review.Decision) span {
	return span{
		object: d.Object, beside: o.Beside, asked: o.Observed, runs: o.Pods > 0 || d.Object.Kind == "Service",
		findings: len(t.findings), ignored: len(t.ignored), troubles: len(t.troubles),
	}
}
