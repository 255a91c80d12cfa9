package policy

import (
	"fmt"
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"
)

// finder walks a rule and all that it depends on, and notes what is read of the input.
// It follows places of the input through variables and into functions, in the forms that the
// compiler leaves. Whatever else is done with a place reads all that is there.
type finder struct {
	compiler *ast.Compiler
	seen     map[visited]bool
	found    *reads
}

// visited is a rule, and the places that its arguments hold.
type visited struct {
	rule *ast.Rule
	held string
}

// visit notes what a rule reads. Of its arguments, by position, these hold places.
func (f *finder) visit(r *ast.Rule, args map[int]place) {
	v := visited{r, fmt.Sprintf("%v", args)} // in the order of the keys
	if f.seen[v] {
		return
	}
	f.seen[v] = true
	s := scope{
		finder: f, held: map[ast.Var]place{}, own: map[ast.Var]bool{},
		passes: map[*ast.Expr]map[int]bool{},
	}
	s.read(r, args)
	for dependency := range f.compiler.Graph.Dependencies(r) {
		if d, ok := dependency.(*ast.Rule); ok {
			f.visit(d, nil)
		}
	}
}

// scope is one rule: the variables that hold places, and the operands that only pass them on.
type scope struct {
	*finder
	held   map[ast.Var]place
	own    map[ast.Var]bool // arguments that hold none
	passes map[*ast.Expr]map[int]bool
}

func (s *scope) read(r *ast.Rule, args map[int]place) {
	for branch := r; branch != nil; branch = branch.Else {
		s.take(branch.Head.Args, args)
	}
	for before := -1; before < len(s.held); { // one variable may be given to another
		before = len(s.held)
		eachExpr(r, s.bind)
	}
	eachExpr(r, s.call)
	s.mentions(r)
}

// take looks at the arguments. One that is no variable takes its place apart, and one that
// stands twice compares.
func (s *scope) take(args ast.Args, places map[int]place) {
	count := map[ast.Var]int{}
	for _, arg := range args {
		if name, ok := arg.Value.(ast.Var); ok {
			count[name]++
		}
	}
	for i, arg := range args {
		name, _ := arg.Value.(ast.Var)
		p, holds := places[i]
		switch {
		case holds && count[name] == 1:
			s.held[name] = p
		case holds:
			s.found.at(p).whole()
			s.own[name] = true
		default:
			s.own[name] = true
		}
	}
}

// bind looks at an equation that gives a place to a variable. Where the variable has a
// value already the equation compares, and is left to mentions.
func (s *scope) bind(e *ast.Expr) {
	if !e.IsEquality() || e.Negated || len(e.With) > 0 || s.passes[e] != nil {
		return
	}
	left, right := e.Operand(0), e.Operand(1)
	if !s.free(left) {
		left, right = right, left
	}
	p, ok := s.place(right)
	if !ok || !s.free(left) {
		return
	}
	s.held[left.Value.(ast.Var)] = p
	s.passes[e] = map[int]bool{0: true, 1: true}
	s.pass(right, p)
}

// free reports whether a term is a variable that may have no value yet.
func (s *scope) free(t *ast.Term) bool {
	name, ok := t.Value.(ast.Var)
	_, held := s.held[name]
	return ok && !held && !s.own[name] && !name.Equal(ast.InputRootDocument.Value)
}

// pass notes that a term only passes a place on: what stands there has to be there.
func (s *scope) pass(t *ast.Term, p place) {
	s.found.at(p)
	s.steps(t)
}

// call looks at a call of a function of ours that is given a place.
func (s *scope) call(e *ast.Expr) {
	if !e.IsCall() {
		return
	}
	rules := s.compiler.GetRulesExact(e.Operator())
	if len(rules) == 0 {
		return
	}
	args, passed := map[int]place{}, map[int]bool{}
	for i, operand := range e.Operands() {
		if p, ok := s.place(operand); ok && i < len(rules[0].Head.Args) {
			args[i], passed[i] = p, true
			s.pass(operand, p)
		}
	}
	s.passes[e] = passed
	for _, r := range rules {
		s.visit(r, args)
	}
}

// place is where a term stands in the input, if it does: a reference into it, or a
// variable that holds a place.
func (s *scope) place(t *ast.Term) (place, bool) {
	switch v := t.Value.(type) {
	case ast.Var:
		p, ok := s.held[v]
		return p, ok
	case ast.Ref:
		return s.placeOf(v)
	}
	return nil, false
}

func (s *scope) placeOf(ref ast.Ref) (place, bool) {
	head, ok := ref[0].Value.(ast.Var)
	if !ok {
		return nil, false
	}
	p, ok := s.held[head]
	if !ok && !head.Equal(ast.InputRootDocument.Value) {
		return nil, false
	}
	for _, t := range ref[1:] {
		if name, ok := t.Value.(ast.String); ok {
			p = p.below(string(name))
			continue
		}
		p = p.below(anyPart)
	}
	return p, true
}

// mentions notes what a rule reads otherwise: a place that is mentioned is read.
func (s *scope) mentions(r *ast.Rule) {
	for branch := r; branch != nil; branch = branch.Else {
		for _, t := range append(slices.Clone(branch.Head.Reference), branch.Head.Key, branch.Head.Value) {
			if t != nil {
				s.walk(t)
			}
		}
		s.walk(branch.Body)
	}
}

func (s *scope) walk(node any) {
	ast.NewGenericVisitor(func(node any) bool {
		switch n := node.(type) {
		case *ast.Expr:
			return s.operands(n)
		case *ast.Term:
			if p, ok := s.place(n); ok {
				s.found.at(p).whole()
				s.steps(n)
				return true
			}
		case ast.Var:
			if n.Equal(ast.InputRootDocument.Value) {
				s.found.whole()
			}
		}
		return false
	}).Walk(node)
}

// operands walks those that do not only pass a place on. It reports whether there are
// such, so that the expression is done with.
func (s *scope) operands(e *ast.Expr) bool {
	passed := s.passes[e]
	if passed == nil {
		return false
	}
	for i, operand := range e.Operands() {
		if !passed[i] {
			s.walk(operand)
		}
	}
	for _, with := range e.With {
		s.walk(with)
	}
	return true
}

// steps looks at what is computed within a reference.
func (s *scope) steps(t *ast.Term) {
	if ref, ok := t.Value.(ast.Ref); ok {
		for _, step := range ref[1:] {
			s.walk(step)
		}
	}
}

// eachExpr calls visit with every expression of a rule, also those within others.
func eachExpr(r *ast.Rule, visit func(*ast.Expr)) {
	ast.NewGenericVisitor(func(node any) bool {
		if e, ok := node.(*ast.Expr); ok {
			visit(e)
		}
		return false
	}).Walk(r)
}
