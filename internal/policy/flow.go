package policy

import (
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"
)

// followed is how many steps a place is followed into the input: containers.*.memory,
// pod.metadata.labels. What is read below that reads all of it.
const followed = 3

// flow knows which variables of the rules hold a container, given to them by an equation or
// as an argument, in the forms that the compiler leaves. Variables of one name count as one.
type flow struct {
	compiler *ast.Compiler
	// holds has the arguments of functions as well, with false for those that hold none.
	holds map[ast.Var]bool
	// binds are the equations that give a container to a variable. All others compare.
	binds map[*ast.Expr]bool
}

func flowOf(c *ast.Compiler) *flow {
	f := &flow{compiler: c, holds: map[ast.Var]bool{}, binds: map[*ast.Expr]bool{}}
	for _, m := range c.Modules {
		ast.WalkRules(m, func(r *ast.Rule) bool {
			for _, arg := range r.Head.Args {
				if name, ok := arg.Value.(ast.Var); ok {
					f.holds[name] = false
				}
			}
			return false
		})
	}
	for more := true; more; { // one variable may be given to another
		more = false
		for _, m := range c.Modules {
			ast.WalkExprs(m, func(e *ast.Expr) bool {
				more = f.bind(e) || f.call(e) || more
				return false
			})
		}
	}
	return f
}

// bind looks at an equation of a container and a variable that has no value yet.
func (f *flow) bind(e *ast.Expr) bool {
	if !e.IsEquality() || e.Negated || len(e.With) > 0 {
		return false
	}
	for i := range 2 {
		name, ok := e.Operand(i).Value.(ast.Var)
		_, known := f.holds[name]
		if ok && !known && !name.Equal(ast.InputRootDocument.Value) && f.isContainer(e.Operand(1-i)) {
			f.holds[name], f.binds[e] = true, true
			return true
		}
	}
	return false
}

// call looks at what a call gives to arguments.
func (f *flow) call(e *ast.Expr) (more bool) {
	for i := range e.Operands() {
		for _, name := range f.given(e, i) {
			more = more || !f.holds[name]
			f.holds[name] = true
		}
	}
	return more
}

// given are the arguments of a function of ours that get a container as the i-th operand of its
// call. None where one of them takes it apart, or compares it.
func (f *flow) given(e *ast.Expr, i int) []ast.Var {
	if !e.IsCall() || !f.isContainer(e.Operand(i)) {
		return nil
	}
	var names []ast.Var
	for _, r := range f.compiler.GetRulesExact(e.Operator()) {
		for branch := r; branch != nil; branch = branch.Else {
			args := branch.Head.Args
			if i >= len(args) || !isAlone(args, i) {
				return nil
			}
			names = append(names, args[i].Value.(ast.Var))
		}
	}
	return names
}

// isAlone reports whether an argument is a variable, and no other one is the same.
func isAlone(args ast.Args, i int) bool {
	for j := range args {
		if j != i && args[j].Equal(args[i]) {
			return false
		}
	}
	_, ok := args[i].Value.(ast.Var)
	return ok
}

// passes reports whether an expression only passes a container on as its i-th operand.
func (f *flow) passes(e *ast.Expr, i int) bool { return f.binds[e] || len(f.given(e, i)) > 0 }

// place is where a term stands in the input, if it does: a reference into it, or a variable
// that holds a container.
func (f *flow) place(t *ast.Term) (place, bool) {
	ref, ok := t.Value.(ast.Ref)
	if !ok {
		ref = ast.Ref{t}
	}
	name, _ := ref[0].Value.(ast.Var)
	var p place
	switch {
	case f.holds[name]:
		p = containers()
	case !name.Equal(ast.InputRootDocument.Value):
		return nil, false
	}
	for _, step := range ref[1:] {
		key, ok := step.Value.(ast.String)
		if !ok {
			key = anyPart
		}
		if len(p) < followed {
			p = p.below(string(key))
		}
	}
	return p, true
}

// containers is the place of each container.
func containers() place { return place{"containers", anyPart} }

func (f *flow) isContainer(t *ast.Term) bool {
	p, ok := f.place(t)
	return ok && slices.Equal(p, containers())
}
