package policy

import (
	"fmt"
	"reflect"

	"github.com/open-policy-agent/opa/v1/ast"
)

// value converts what is read of an input, once for all rules.
func (f *form) value(in *Input, r *reads) (ast.Value, error) {
	v, err := f.parts(reflect.ValueOf(in).Elem(), r)
	if err != nil {
		return nil, fmt.Errorf("converting the input document: %w", err)
	}
	return v, nil
}
