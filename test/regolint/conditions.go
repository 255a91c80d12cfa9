package regolint

import (
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
)

// unassignedReturns finds calls whose result is thrown away. Of a function of
// ours it is known that it only says yes when none of its definitions says more.
func unassignedReturns(all []module, m module, tell tell) {
	yields := yielding(all)
	eachCondition(m, func(e *ast.Expr) {
		if !e.IsCall() || e.Negated && isOurs(e, m, yields) {
			return
		}
		name := e.Operator().String()
		if b, ok := ast.BuiltinMap[name]; ok {
			if b.Infix == "" && b.Decl.Result() != nil && b.Decl.Result().String() != "boolean" && len(e.Operands()) == b.Decl.Arity() {
				tell(e.Location.Row, "what %s returns is thrown away", name)
			}
			return
		}
		if yields[m.path(e.Operator())] {
			tell(e.Location.Row, "what %s returns is thrown away", name)
		}
	})
}

// isOurs lets "not f(x)" pass, which asks whether a function has an answer.
func isOurs(e *ast.Expr, m module, yields map[string]bool) bool {
	_, ours := yields[m.path(e.Operator())]
	return ours
}

// yielding tells of each function of ours whether it returns anything but true.
func yielding(all []module) map[string]bool {
	found := map[string]bool{}
	for _, m := range all {
		m.eachRule(func(r *ast.Rule) {
			if len(r.Head.Args) == 0 {
				return
			}
			name := m.Package.Path.String() + "." + r.Head.Ref().String()
			_, boolean := r.Head.Value.Value.(ast.Boolean)
			found[name] = found[name] || !boolean
		})
	}
	return found
}

// path is the whole path of a function that this module calls.
func (m module) path(ref ast.Ref) string {
	for _, i := range m.Imports {
		if ref[0].Value.Compare(ast.Var(importName(i))) == 0 {
			return i.Path.Value.(ast.Ref).Concat(ref[1:]).String()
		}
	}
	return m.Package.Path.String() + "." + ref.String()
}

// notEqualsInLoops finds comparisons that hold as soon as one element differs.
func notEqualsInLoops(_ []module, m module, tell tell) {
	eachCondition(m, func(e *ast.Expr) {
		if !e.IsCall() || e.Operator().String() != ast.NotEqual.Name {
			return
		}
		if slices.ContainsFunc(e.Operands(), loops) {
			tell(e.Location.Row, "%s holds as soon as one element differs", written(e))
		}
	})
}

// loops tells whether a term goes through the elements of something.
func loops(t *ast.Term) bool {
	ref, ok := t.Value.(ast.Ref)
	return ok && slices.ContainsFunc(ref[1:], func(step *ast.Term) bool {
		v, ok := step.Value.(ast.Var)
		return ok && v.IsWildcard()
	})
}

func constantConditions(_ []module, m module, tell tell) {
	eachCondition(m, func(e *ast.Expr) {
		switch t := e.Terms.(type) {
		case *ast.Term:
			if ast.IsConstant(t.Value) {
				tell(e.Location.Row, "%s decides nothing", written(e))
			}
		case []*ast.Term:
			b, ok := ast.BuiltinMap[e.Operator().String()]
			if ok && b.Infix != "" && !slices.ContainsFunc(e.Operands(), varies) {
				tell(e.Location.Row, "%s decides nothing", written(e))
			}
		}
	})
}

func varies(t *ast.Term) bool { return !ast.IsConstant(t.Value) }

// eachCondition calls do for each expression that somebody wrote in a body. The
// body of a rule that has none is made by the parser, at the place of the rule or
// of its value (implicitTrueBody in OPA's v1/ast).
func eachCondition(m module, do func(*ast.Expr)) {
	heads := map[int]bool{}
	m.eachRule(func(r *ast.Rule) {
		heads[r.Location.Offset], heads[r.Head.Location.Offset] = true, true
		if r.Head.Value != nil && r.Head.Value.Location != nil {
			heads[r.Head.Value.Location.Offset] = true
		}
	})
	ast.WalkExprs(m.Module, func(e *ast.Expr) bool {
		if !heads[e.Location.Offset] {
			do(e)
		}
		return false
	})
}

// written is an expression as it stands in the file.
func written(e *ast.Expr) string { return strings.TrimSpace(string(e.Location.Text)) }
