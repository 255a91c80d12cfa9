package policy

import (
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
)

// capabilities are the built-in functions that rules may call: those whose
// answer depends on their arguments alone. The same input then always gets the
// same verdict, and no rule reaches the network or the environment.
func capabilities() *ast.Capabilities {
	c := ast.CapabilitiesForThisVersion()
	c.Builtins = slices.DeleteFunc(c.Builtins, func(b *ast.Builtin) bool {
		return b.IsNondeterministic() || b.IsDeprecated() || forbidden(b.Name)
	})
	c.AllowNet = []string{} // nil would mean every host
	return c
}

func forbidden(name string) bool {
	for _, prefix := range []string{"io.jwt.", "providers.", "crypto.", "opa.", "http.", "net.lookup"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return slices.Contains([]string{"trace", "rego.parse_module"}, name)
}
