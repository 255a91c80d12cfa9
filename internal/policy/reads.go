package policy

import (
	"maps"

	"github.com/open-policy-agent/opa/v1/ast"
)

// sections says what of the input document is read: its top-level fields and,
// where a field is read by parts alone, those. The nil set is all; so is a nil part.
type sections map[string]parts

type parts map[string]struct{}

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
	for name, theirs := range other {
		mine, ok := both[name]
		switch {
		case !ok:
			both[name] = theirs
		case mine == nil || theirs == nil:
			both[name] = nil
		default:
			all := maps.Clone(mine)
			maps.Copy(all, theirs)
			both[name] = all
		}
	}
	return both
}

// anonymous reports whether what is read is the same for objects that differ in nothing
// but their names and bookkeeping, sent by whomever.
func (s sections) anonymous() bool {
	if s == nil {
		return false
	}
	for name, tells := range telling() {
		read, ok := s[name]
		if ok && (read == nil || tells == nil) {
			return false
		}
		for part := range tells {
			if _, ok := read[part]; ok {
				return false
			}
		}
	}
	return true
}

// telling are the parts of the input by which one may know an object.
func telling() sections {
	return sections{
		"object":   nil,
		"request":  {"name": {}, "dryRun": {}, "user": {}},
		"pod":      {"metadata": {}},
		"workload": {"name": {}},
	}
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
			if read, ok := inputField(n); ok {
				f.found = f.found.union(read)
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

// inputField is what a reference reads of the input, if that is a field by its name.
func inputField(ref ast.Ref) (sections, bool) {
	if len(ref) < 2 || !ref.HasPrefix(ast.InputRootRef) {
		return nil, false
	}
	name, ok := ref[1].Value.(ast.String)
	if !ok {
		return nil, false
	}
	if len(ref) > 2 {
		if part, ok := ref[2].Value.(ast.String); ok {
			return sections{string(name): {string(part): {}}}, true
		}
	}
	return sections{string(name): nil}, true
}
