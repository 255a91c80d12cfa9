package regolint

import (
	"github.com/open-policy-agent/opa/v1/ast"
)

func unusedImports(_ []module, m module, tell tell) {
	used := map[ast.Var]bool{}
	for _, r := range m.Rules {
		ast.WalkVars(r, func(v ast.Var) bool {
			used[v] = true
			return false
		})
	}
	for _, i := range m.Imports {
		path, _ := i.Path.Value.(ast.Ref)
		if head, _ := path[0].Value.(ast.Var); head == "rego" || head == "future" {
			continue // these change the language
		}
		if name := importName(i); !used[ast.Var(name)] {
			tell(i.Location.Row, "import %q is not used", name)
		}
	}
}

// unusedArguments looks at a rule and its else branches together: they share
// their arguments.
func unusedArguments(_ []module, m module, tell tell) {
	for _, r := range m.Rules {
		read := map[ast.Var]int{}
		for branch := r; branch != nil; branch = branch.Else {
			for _, part := range []any{branch.Head.Value, branch.Head.Key, branch.Body} {
				countVars(part, read)
			}
		}
		passed := map[ast.Var]int{}
		for _, arg := range r.Head.Args {
			countVars(arg, passed)
		}
		for v, times := range passed {
			if times == 1 && read[v] == 0 && !v.IsWildcard() {
				tell(r.Location.Row, "argument %q is not used", v)
			}
		}
	}
}

func countVars(node any, count map[ast.Var]int) {
	if t, ok := node.(*ast.Term); ok && t == nil {
		return
	}
	ast.WalkVars(node, func(v ast.Var) bool {
		count[v]++
		return false
	})
}
