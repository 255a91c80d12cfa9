package policy

import (
	"fmt"
	"reflect"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/forestall/forestall/internal/budget"
)

// form is how values of a type are converted, as a whole and in parts.
type form struct {
	convert converter
	kind    reflect.Kind
	fields  []field // of a struct
	elem    *form   // of a pointer, a list or a map
}

// formOf returns the form of a type, which is put together once. Types that write their own JSON
// are converted through it, and so are types that only encoding/json handles. A type must not
// contain itself.
func formOf(t reflect.Type) *form {
	if writesItsOwn(t) {
		return &form{convert: throughJSON}
	}
	switch t.Kind() {
	case reflect.String:
		return &form{convert: convertString}
	case reflect.Bool:
		return &form{convert: convertBool}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return &form{convert: convertInt}
	case reflect.Pointer:
		f := &form{kind: reflect.Pointer, elem: formOf(t.Elem())}
		f.convert = orNull(indirect(f.elem.convert))
		return f
	case reflect.Slice:
		if t.Elem().Kind() != reflect.Uint8 {
			f := &form{kind: reflect.Slice, elem: formOf(t.Elem())}
			f.convert = orNull(sequence(f.elem.convert))
			return f
		}
	case reflect.Map:
		if t.Key().Kind() == reflect.String {
			f := &form{kind: reflect.Map, elem: formOf(t.Elem())}
			f.convert = orNull(mapping(f.elem.convert))
			return f
		}
	case reflect.Struct:
		f := &form{kind: reflect.Struct, fields: fieldsOf(t, nil)}
		f.convert = structure(f.fields, field.whole)
		return f
	}
	return &form{convert: throughJSON}
}

// parts converts the parts of a value that are read, or the whole value where it has no parts.
func (f *form) parts(b *budget.Budget, v reflect.Value, r *reads) (ast.Value, error) {
	each := r.parts[anyPart]
	switch {
	case r.all, each != nil && len(r.parts) > 1: // some of them more than others
	case f.kind == reflect.Pointer:
		return orNull(indirect(func(b *budget.Budget, v reflect.Value) (ast.Value, error) { return f.elem.parts(b, v, r) }))(b, v)
	case f.kind == reflect.Slice && each != nil:
		return orNull(sequence(func(b *budget.Budget, v reflect.Value) (ast.Value, error) { return f.elem.parts(b, v, each) }))(b, v)
	case f.kind == reflect.Map && each != nil:
		return orNull(mapping(func(b *budget.Budget, v reflect.Value) (ast.Value, error) { return f.elem.parts(b, v, each) }))(b, v)
	case f.kind == reflect.Map:
		return orNull(func(b *budget.Budget, v reflect.Value) (ast.Value, error) { return f.keys(b, v, r) })(b, v)
	case f.kind == reflect.Struct && each == nil:
		return structure(f.fields, func(f field, b *budget.Budget, v reflect.Value) (ast.Value, error) {
			if read, ok := r.parts[f.name()]; ok {
				return f.form.parts(b, v, read)
			}
			return nil, nil
		})(b, v)
	}
	return f.convert(b, v)
}

// keys converts some entries of a map.
func (f *form) keys(b *budget.Budget, v reflect.Value, r *reads) (ast.Value, error) {
	entries := make([][2]*ast.Term, 0, len(r.parts))
	for name, read := range r.parts {
		value := v.MapIndex(reflect.ValueOf(name).Convert(v.Type().Key()))
		if !value.IsValid() {
			continue
		}
		item, err := f.elem.parts(b, value, read)
		if err != nil {
			return nil, fmt.Errorf("converting %s: %w", name, err)
		}
		entries = append(entries, ast.Item(ast.StringTerm(name), ast.NewTerm(item)))
	}
	return ast.NewObject(entries...), nil
}

// value converts what is read of an input, once for all rules.
func (f *form) value(b *budget.Budget, in *Input, r *reads) (ast.Value, error) {
	v, err := f.parts(b, reflect.ValueOf(in).Elem(), r)
	if err != nil {
		return nil, fmt.Errorf("converting the input document: %w", err)
	}
	return v, nil
}
