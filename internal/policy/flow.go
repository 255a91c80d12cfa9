package policy

import (
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"
)

// followed is how many steps a place is followed into the input: containers.*.memory,
// pod.metadata.labels. A rule that reads something below a place of that length reads all of the
// place.
const followed = 3

// flow knows which variables of the rules hold a container. A variable gets one from an equation
// or as an argument, in the forms that the compiler leaves. Variables with the same name count as
// one.
type flow struct {
	compiler *ast.Compiler
	// holds has the arguments of functions as well, with false for those that hold none.
	holds map[ast.Var]bool
	// binds are the equations that give a container to a variable. All other equations compare.
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

// call looks at what a call passes as arguments.
func (f *flow) call(e *ast.Expr) (more bool) {
	for i := range e.Operands() {
		for _, name := range f.given(e, i) {
			more = more || !f.holds[name]
			f.holds[name] = true
		}
	}
	return more
}

// given returns the arguments of one of our functions that receive the container which a call
// passes as its i-th operand. It returns none where the function takes that operand apart or
// compares it.
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

// isAlone reports whether the i-th argument is a variable that is no other argument, too.
func isAlone(args ast.Args, i int) bool {
	for j := range args {
		if j != i && args[j].Equal(args[i]) {
			return false
		}
	}
	_, ok := args[i].Value.(ast.Var)
	return ok
}

// passes reports whether an expression only passes on the container that is its i-th operand.
func (f *flow) passes(e *ast.Expr, i int) bool { return f.binds[e] || len(f.given(e, i)) > 0 }

// place returns where a term stands in the input, if it does: it is a reference into the input,
// or a variable that holds a container.
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

// containers returns the place of each container.
func containers() place { return place{"containers", anyPart} }

func (f *flow) isContainer(t *ast.Term) bool {
	p, ok := f.place(t)
	return ok && slices.Equal(p, containers())
}
