package policy

import (
	"fmt"
	"reflect"

	"github.com/open-policy-agent/opa/v1/ast"
)

// document converts inputs for evaluation.
type document struct{ fields []field }

func newDocument() document { return document{fieldsOf(reflect.TypeFor[Input](), nil)} }

// value converts what is read of an input, once for all rules.
func (d document) value(in *Input, read sections) (ast.Value, error) {
	fields := d.fields
	if read != nil {
		fields = make([]field, 0, len(read))
		for _, f := range d.fields {
			if _, ok := read[string(f.key.Value.(ast.String))]; ok {
				fields = append(fields, f)
			}
		}
	}
	v, err := structure(fields)(reflect.ValueOf(in).Elem())
	if err != nil {
		return nil, fmt.Errorf("converting the input document: %w", err)
	}
	return v, nil
}
