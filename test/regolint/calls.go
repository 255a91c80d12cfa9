package regolint

import (
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
)

func deprecatedBuiltins(_ []module, m module, tell tell) {
	eachCall(m, func(name string, _ []*ast.Term, row int) {
		if b, ok := ast.BuiltinMap[name]; ok && b.IsDeprecated() {
			tell(row, "%s is deprecated", name)
		}
	})
}

// sprintfArguments compares the verbs of a format with the list beside it, where
// both are written there.
func sprintfArguments(_ []module, m module, tell tell) {
	eachCall(m, func(name string, args []*ast.Term, row int) {
		if name != ast.Sprintf.Name || len(args) < 2 {
			return
		}
		format, ok := args[0].Value.(ast.String)
		list, literal := args[1].Value.(*ast.Array)
		if !ok || !literal {
			return
		}
		text := strings.ReplaceAll(string(format), "%%", "")
		if verbs := strings.Count(text, "%"); verbs != list.Len() {
			tell(row, "%d verbs and %d arguments: %s", verbs, list.Len(), format)
		}
	})
}

// eachCall calls do for each call, within other terms too.
func eachCall(m module, do func(name string, args []*ast.Term, row int)) {
	ast.NewGenericVisitor(func(x any) bool {
		switch x := x.(type) {
		case *ast.Expr:
			if x.IsCall() {
				do(x.Operator().String(), x.Operands(), x.Location.Row)
			}
		case *ast.Term:
			if call, ok := x.Value.(ast.Call); ok {
				do(call[0].String(), call[1:], x.Location.Row)
			}
		}
		return false
	}).Walk(m.Module)
}
