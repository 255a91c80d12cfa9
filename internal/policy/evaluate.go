package policy

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/metrics"
	"github.com/open-policy-agent/opa/v1/rego"
	"github.com/open-policy-agent/opa/v1/topdown"

	"github.com/forestall/forestall/internal/finding"
)

// Evaluate asks the rules about one input. Findings are sorted by rule, path and
// container. The error or panic of one rule is a RuleError beside the findings of
// the others; only an input that cannot be converted is an error for all.
func (e *Engine) Evaluate(ctx context.Context, in *Input, rules []Rule) ([]finding.Finding, []RuleError, error) {
	if len(rules) == 0 {
		return nil, nil, nil
	}
	value, err := e.input.value(in, e.read(rules))
	if err != nil {
		return nil, nil, err
	}
	growStack()
	cancel := topdown.NewCancel() // one for all queries, or each would start a goroutine
	defer context.AfterFunc(ctx, cancel.Cancel)()
	var findings []finding.Finding
	var failed []RuleError
	for _, r := range rules {
		found, err := e.ask(ctx, &r, value, cancel)
		if err != nil {
			failed = append(failed, RuleError{Rule: r.ID, Err: err})
			continue
		}
		findings = append(findings, found...)
	}
	slices.SortFunc(findings, compareFindings)
	return findings, failed, nil
}

func compareFindings(a, b finding.Finding) int {
	return cmp.Or(
		cmp.Compare(a.Rule, b.Rule),
		cmp.Compare(a.Path, b.Path),
		cmp.Compare(a.Container, b.Container),
		cmp.Compare(a.Reason, b.Reason),
	)
}

func (e *Engine) ask(ctx context.Context, r *Rule, input ast.Value, cancel topdown.Cancel) (found []finding.Finding, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	q, ok := e.queries[r.ID]
	if !ok {
		return nil, errors.New("there is no such rule")
	}
	// A failing built-in makes a rule undefined, which would look like "nothing
	// found"; the list turns it into an error.
	var builtin []topdown.Error
	rs, err := q.Eval(ctx,
		rego.EvalParsedInput(input),
		rego.EvalExternalCancel(cancel),
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
	return decodeFindings(r, rs)
}

// asItIs leaves a result as the value that it is in Rego.
func asItIs(t *ast.Term, _ *rego.EvalContext) (any, error) { return t.Value, nil }

func decodeFindings(r *Rule, rs rego.ResultSet) ([]finding.Finding, error) {
	if len(rs) == 0 || len(rs[0].Expressions) == 0 {
		return nil, nil
	}
	report, ok := rs[0].Expressions[0].Value.(ast.Value)
	if !ok {
		return nil, errors.New("the report is no value")
	}
	return findingsOf(r, report)
}

func decodeStrict(raw []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	d.UseNumber()
	return d.Decode(into)
}
