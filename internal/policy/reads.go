package policy

import (
	"maps"

	"github.com/open-policy-agent/opa/v1/ast"
)

// sections is a set of top-level fields of the input document. The nil set is all
// of them.
type sections map[string]struct{}

// readsOf returns the sections of the input that a rule can read, itself or
// through what it calls, so that the others need not be converted. Where a rule
// takes the input as a whole, or by a name that is computed, it is all.
func readsOf(c *ast.Compiler, id string) sections {
	f := finder{compiler: c, seen: map[*ast.Rule]bool{}, found: sections{}}
	for _, r := range c.GetRulesWithPrefix(rulesRef.Append(ast.StringTerm(id))) {
		f.visit(r)
	}
	if f.whole {
		return nil
	}
	return f.found
}

// union is what either of two rules reads.
func (s sections) union(other sections) sections {
	if s == nil || other == nil {
		return nil
	}
	both := maps.Clone(s)
	maps.Copy(both, other)
	return both
}

// finder walks a rule and all that it depends on.
type finder struct {
	compiler *ast.Compiler
	seen     map[*ast.Rule]bool
	found    sections
	whole    bool
}

func (f *finder) visit(r *ast.Rule) {
	if f.seen[r] {
		return
	}
	f.seen[r] = true
	f.body(r)
	for dependency := range f.compiler.Graph.Dependencies(r) {
		if d, ok := dependency.(*ast.Rule); ok {
			f.visit(d)
		}
	}
}

// body notes what one rule reads. Every mention of the input has to be a field by
// its name; any other is one of the whole.
func (f *finder) body(r *ast.Rule) {
	mentions, fields := 0, 0
	ast.NewGenericVisitor(func(node any) bool {
		switch n := node.(type) {
		case ast.Ref:
			if name, ok := inputField(n); ok {
				f.found[name] = struct{}{}
				fields++
			}
		case ast.Var:
			if n.Equal(ast.InputRootDocument.Value) {
				mentions++
			}
		}
		return false
	}).Walk(r)
	f.whole = f.whole || mentions != fields
}

func inputField(ref ast.Ref) (string, bool) {
	if len(ref) < 2 || !ref.HasPrefix(ast.InputRootRef) {
		return "", false
	}
	name, ok := ref[1].Value.(ast.String)
	return string(name), ok
}
