package policy

import "github.com/open-policy-agent/opa/v1/ast"

// readsOf returns what a rule can read of the input, itself or through what it
// calls, so that the rest need not be converted.
func (f *flow) readsOf(id string) *reads {
	r := reader{flow: f, seen: map[*ast.Rule]bool{}, found: &reads{}}
	for _, rule := range f.compiler.GetRulesWithPrefix(rulesRef.Append(ast.StringTerm(id))) {
		r.visit(rule)
	}
	return r.found
}

// reader walks a rule and everything that it depends on. It notes the places of the input that
// these read. Whatever uses a container reads all of it, unless it only passes the container on.
type reader struct {
	*flow
	seen  map[*ast.Rule]bool
	found *reads
}

func (r *reader) visit(rule *ast.Rule) {
	if r.seen[rule] {
		return
	}
	r.seen[rule] = true
	for branch := rule; branch != nil; branch = branch.Else {
		for _, t := range branch.Head.Reference {
			r.walk(t)
		}
		for _, t := range []*ast.Term{branch.Head.Key, branch.Head.Value} {
			if t != nil {
				r.walk(t)
			}
		}
		r.walk(branch.Body)
	}
	for dependency := range r.compiler.Graph.Dependencies(rule) {
		if d, ok := dependency.(*ast.Rule); ok {
			r.visit(d)
		}
	}
}

func (r *reader) walk(node any) {
	ast.NewGenericVisitor(func(node any) bool {
		switch n := node.(type) {
		case *ast.Expr:
			return r.operands(n)
		case *ast.Term:
			p, ok := r.place(n)
			if ok {
				r.found.at(p).whole()
				r.steps(n)
			}
			return ok
		}
		return false
	}).Walk(node)
}

// operands walks the operands of an expression that passes a container on, and notes no read for
// that container. It reports whether the expression is such a one, and so needs no other walk.
func (r *reader) operands(e *ast.Expr) (done bool) {
	for i := range e.Operands() {
		done = done || r.passes(e, i)
	}
	if !done {
		return false
	}
	for i, operand := range e.Operands() {
		if !r.passes(e, i) {
			r.walk(operand)
			continue
		}
		r.found.at(containers()) // it has to be there
		r.steps(operand)
	}
	for _, with := range e.With {
		r.walk(with)
	}
	return true
}

// steps walks what is computed within a reference.
func (r *reader) steps(t *ast.Term) {
	if ref, ok := t.Value.(ast.Ref); ok {
		for _, step := range ref[1:] {
			r.walk(step)
		}
	}
}
