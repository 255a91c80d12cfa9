package regolint

import (
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
)

// taken are the names of the built-in functions, and their namespaces: count, and
// json of json.patch.
func taken() map[string]bool {
	names := map[string]bool{"input": true, "data": true}
	for _, b := range ast.CapabilitiesForThisVersion().Builtins {
		first, _, _ := strings.Cut(b.Name, ".")
		names[first] = true
	}
	return names
}

func shadowedBuiltins(_ []module, m module, tell tell) {
	builtin := taken()
	see := func(kind, name string, at *ast.Location) {
		if builtin[name] {
			tell(at.Row, "%s %q is the name of a built-in", kind, name)
		}
	}
	for _, i := range m.Imports {
		see("import", importName(i), i.Location)
	}
	m.eachRule(func(r *ast.Rule) {
		if name, ok := r.Head.Ref()[0].Value.(ast.Var); ok {
			see("rule", string(name), r.Location)
		}
		ast.WalkVars(r.Head.Args, func(v ast.Var) bool {
			see("argument", string(v), r.Location)
			return false
		})
	})
	ast.WalkExprs(m.Module, func(e *ast.Expr) bool {
		for _, v := range declared(e) {
			see("variable", string(v), e.Location)
		}
		return false
	})
}

// importName is what an import is called in its module.
func importName(i *ast.Import) string {
	if i.Alias != "" {
		return string(i.Alias)
	}
	name, _ := i.Path.Value.(ast.Ref)
	if text, ok := name[len(name)-1].Value.(ast.String); ok {
		return string(text)
	}
	return name[0].Value.String()
}

// declared are the variables that an expression brings into being.
func declared(e *ast.Expr) []ast.Var {
	var terms []*ast.Term
	switch t := e.Terms.(type) {
	case *ast.SomeDecl:
		terms = t.Symbols
		if len(terms) == 1 { // some x in xs: the list itself is read, not declared
			if in, ok := terms[0].Value.(ast.Call); ok {
				terms = in[1 : len(in)-1]
			}
		}
	case *ast.Every:
		terms = []*ast.Term{t.Key, t.Value}
	case []*ast.Term:
		if e.IsAssignment() {
			terms = []*ast.Term{e.Operand(0)}
		}
	}
	var vars []ast.Var
	for _, t := range terms {
		if t == nil {
			continue
		}
		ast.WalkVars(t, func(v ast.Var) bool {
			vars = append(vars, v)
			return false
		})
	}
	return vars
}

func packageNames(_ []module, m module, tell tell) {
	own := ""
	if last, ok := m.Package.Path[len(m.Package.Path)-1].Value.(ast.String); ok {
		own = strings.ReplaceAll(string(last), "-", "_")
	}
	m.eachRule(func(r *ast.Rule) {
		if r.Head.Ref()[0].Value.Compare(ast.Var(own)) == 0 {
			tell(r.Location.Row, "rule %q has the name of its package", own)
		}
	})
}

func duplicateRules(_ []module, m module, tell tell) {
	seen := map[string]int{}
	for _, r := range m.Rules {
		text := r.String()
		if before, ok := seen[text]; ok {
			tell(r.Location.Row, "this rule stands in line %d already", before)
			continue
		}
		seen[text] = r.Location.Row
	}
}

func leakedInternals(_ []module, m module, tell tell) {
	if m.isTest() {
		return // may look behind
	}
	imported := map[string]bool{}
	for _, i := range m.Imports {
		imported[importName(i)] = true
	}
	ast.WalkRefs(m.Module, func(ref ast.Ref) bool {
		head, _ := ref[0].Value.(ast.Var)
		if !imported[string(head)] && head != "data" {
			return false
		}
		private := slices.IndexFunc(ref[1:], func(t *ast.Term) bool {
			name, ok := t.Value.(ast.String)
			return ok && strings.HasPrefix(string(name), "_")
		})
		if private >= 0 {
			tell(ref[0].Location.Row, "%s is nobody else's", ref)
		}
		return false
	})
}
