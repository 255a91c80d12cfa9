package policy

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/metrics"
	"github.com/open-policy-agent/opa/v1/rego"
	"github.com/open-policy-agent/opa/v1/topdown"

	"github.com/forestall/forestall/internal/budget"
	"github.com/forestall/forestall/internal/finding"
)

// stepsPerFinding is how many steps it takes to read a finding from a report, with its texts.
const stepsPerFinding = 64

// Evaluate asks the rules about one input, as far as the budget suffices; a nil budget stands for
// the default one. Findings are sorted by rule, path and container. The error or panic of one
// rule is a RuleError beside the findings of the others. Only an input that cannot be converted,
// or the end of the context, is an error for all of them. A rule that is not answered because the
// budget is spent is no error: the caller asks the budget.
func (e *Engine) Evaluate(ctx context.Context, b *budget.Budget, in *Input, rules []Rule) ([]finding.Finding, []RuleError, error) {
	b = b.OrDefault()
	if len(rules) == 0 {
		return nil, nil, ended(b)
	}
	value, err := e.input.value(b, in, e.read(rules))
	switch {
	case b.Err() != nil:
		return nil, nil, ended(b)
	case err != nil:
		return nil, nil, err
	}
	growStack()
	var findings []finding.Finding
	var failed []RuleError
	for _, r := range rules {
		if !b.Spend(1) {
			break
		}
		found, err := e.ask(ctx, b, &r, value)
		switch {
		case err == nil:
			findings = append(findings, found...)
		case b.Err() == nil:
			failed = append(failed, RuleError{Rule: r.ID, Err: err})
		}
	}
	slices.SortFunc(findings, compareFindings)
	return findings, failed, ended(b)
}

// ended returns the error of a budget whose context has ended. A spent budget is no error.
func ended(b *budget.Budget) error {
	if b.IsSpent() {
		return nil
	}
	return b.Err()
}

// meter counts what OPA does. OPA has no limit of its own, but asks whether it is cancelled before
// each expression that it evaluates (v1/topdown/eval.go, evalExpr), for each element that a
// comprehension or a rule adds, and for each piece that concat and replace write
// (v1/topdown/sink.go): each is a step. It asks in the goroutine that evaluates.
type meter struct{ *budget.Budget }

// Cancel does nothing: the budget knows when the context has ended.
func (meter) Cancel() {}

// Cancelled takes a step, and reports whether it was one too many.
func (m meter) Cancelled() bool { return !m.Spend(1) }

func compareFindings(a, b finding.Finding) int {
	return cmp.Or(
		cmp.Compare(a.Rule, b.Rule),
		cmp.Compare(a.Path, b.Path),
		cmp.Compare(a.Container, b.Container),
		cmp.Compare(a.Reason, b.Reason),
	)
}

func (e *Engine) ask(ctx context.Context, b *budget.Budget, r *Rule, input ast.Value) (found []finding.Finding, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &panicError{p}
		}
	}()
	q, ok := e.queries[r.ID]
	if !ok {
		return nil, errors.New("there is no such rule")
	}
	// A failing built-in makes a rule undefined, which would look like "nothing
	// found"; the list turns it into an error.
	var builtin []topdown.Error
	rs, err := q.Eval(ctx,
		rego.EvalParsedInput(input),
		rego.EvalExternalCancel(meter{b}), // one that is given; OPA would start a goroutine for its own
		rego.EvalMetrics(metrics.NoOp()),
		rego.EvalTime(time.Unix(0, 0)),
		rego.EvalBuiltinErrorList(&builtin),
		rego.EvalGenerateJSON(asItIs),
	)
	switch {
	case err != nil:
		return nil, err
	case len(builtin) > 0:
		return nil, &builtin[0]
	}
	return decodeFindings(b, r, rs)
}

// asItIs keeps a result as the Rego value that it is.
func asItIs(t *ast.Term, _ *rego.EvalContext) (any, error) { return t.Value, nil }

// decodeFindings reads a whole report, even if that spends the budget: the rule has answered.
func decodeFindings(b *budget.Budget, r *Rule, rs rego.ResultSet) ([]finding.Finding, error) {
	if len(rs) == 0 || len(rs[0].Expressions) == 0 {
		return nil, nil
	}
	report, ok := rs[0].Expressions[0].Value.(ast.Value)
	if !ok {
		return nil, errors.New("the report is no value")
	}
	findings, err := findingsOf(r, report)
	b.Spend(stepsPerFinding * len(findings))
	return findings, err
}

func decodeStrict(raw []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	d.UseNumber()
	return d.Decode(into)
}
