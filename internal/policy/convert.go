package policy

import (
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/forestall/forestall/internal/budget"
)

// converter turns a Go value into the value that encoding/json and OPA's parser would make of it,
// without writing and reading JSON on the way. It spends steps of the budget, and fails when none
// are left.
type converter func(*budget.Budget, reflect.Value) (ast.Value, error)

// It takes about one step to convert so many fields, or to read so many bytes of JSON.
const (
	fieldsPerStep = 2
	bytesPerStep  = 64
)

// writesItsOwn reports whether a type has its own JSON.
func writesItsOwn(t reflect.Type) bool {
	for _, m := range []reflect.Type{reflect.TypeFor[json.Marshaler](), reflect.TypeFor[encoding.TextMarshaler]()} {
		if t.Implements(m) || reflect.PointerTo(t).Implements(m) {
			return true
		}
	}
	return false
}

// throughJSON writes JSON and reads it again.
func throughJSON(b *budget.Budget, v reflect.Value) (ast.Value, error) {
	if v.CanAddr() {
		v = v.Addr() // methods of the pointer count, as they do within a document
	}
	text, err := json.Marshal(v.Interface())
	if err != nil {
		return nil, err
	}
	if !b.Spend(1 + len(text)/bytesPerStep) {
		return nil, b.Err()
	}
	return ast.ValueFromReader(bytes.NewReader(text)) // keeps integers exact
}

func convertString(b *budget.Budget, v reflect.Value) (ast.Value, error) {
	s := v.String()
	if !utf8.ValidString(s) {
		return throughJSON(b, v)
	}
	return ast.String(s), nil
}

func convertBool(_ *budget.Budget, v reflect.Value) (ast.Value, error) {
	return ast.InternedTerm(v.Bool()).Value, nil
}

func convertInt(_ *budget.Budget, v reflect.Value) (ast.Value, error) { return number(v.Int()), nil }

func number(n int64) ast.Value { return ast.Number(strconv.FormatInt(n, 10)) }

func orNull(c converter) converter {
	return func(b *budget.Budget, v reflect.Value) (ast.Value, error) {
		if v.IsNil() {
			return ast.NullValue, nil
		}
		return c(b, v)
	}
}

func indirect(c converter) converter {
	return func(b *budget.Budget, v reflect.Value) (ast.Value, error) { return c(b, v.Elem()) }
}

func sequence(c converter) converter {
	return func(b *budget.Budget, v reflect.Value) (ast.Value, error) {
		terms := make([]*ast.Term, v.Len())
		for i := range terms {
			if !b.Spend(1) {
				return nil, b.Err()
			}
			item, err := c(b, v.Index(i))
			if err != nil {
				return nil, err
			}
			terms[i] = ast.NewTerm(item)
		}
		return ast.NewArray(terms...), nil
	}
}

func mapping(c converter) converter {
	return func(b *budget.Budget, v reflect.Value) (ast.Value, error) {
		entries := make([][2]*ast.Term, 0, v.Len())
		for it := v.MapRange(); it.Next(); {
			if !b.Spend(1) {
				return nil, b.Err()
			}
			key, err := convertString(b, it.Key())
			if err != nil {
				return nil, err
			}
			item, err := c(b, it.Value())
			if err != nil {
				return nil, err
			}
			entries = append(entries, ast.Item(ast.NewTerm(key), ast.NewTerm(item)))
		}
		return ast.NewObject(entries...), nil
	}
}

// field is one field of a struct, as its json tag describes it.
type field struct {
	key       *ast.Term
	index     []int
	omitEmpty bool
	omitZero  bool
	form      *form
}

func (f field) name() string { return string(f.key.Value.(ast.String)) }

func (f field) whole(b *budget.Budget, v reflect.Value) (ast.Value, error) {
	return f.form.convert(b, v)
}

func (f *field) leftOut(v reflect.Value) bool {
	return f.omitEmpty && isEmpty(v) || f.omitZero && v.IsZero()
}

// structure converts a struct. Fields for which there is no value are left out.
func structure(fields []field, convert func(field, *budget.Budget, reflect.Value) (ast.Value, error)) converter {
	return func(b *budget.Budget, v reflect.Value) (ast.Value, error) {
		if !b.Spend(1 + len(fields)/fieldsPerStep) {
			return nil, b.Err()
		}
		entries := make([][2]*ast.Term, 0, len(fields))
		for i := range fields {
			f := &fields[i]
			value := v.FieldByIndex(f.index)
			if f.leftOut(value) {
				continue
			}
			item, err := convert(*f, b, value)
			if err != nil {
				return nil, fmt.Errorf("converting %s: %w", f.key, err)
			}
			if item == nil {
				continue
			}
			entries = append(entries, ast.Item(f.key, ast.NewTerm(item)))
		}
		return ast.NewObject(entries...), nil
	}
}

// fieldsOf lists the fields of a struct type, those of embedded structs in their
// place.
func fieldsOf(t reflect.Type, at []int) []field {
	var all []field
	for i := range t.NumField() {
		sf := t.Field(i)
		name, options, _ := strings.Cut(sf.Tag.Get("json"), ",")
		index := append(at[:len(at):len(at)], i)
		switch {
		case sf.Anonymous && name == "" && sf.Type.Kind() == reflect.Struct:
			all = append(all, fieldsOf(sf.Type, index)...)
			continue
		case name == "-", !sf.IsExported():
			continue
		case name == "":
			name = sf.Name
		}
		all = append(all, field{
			key: ast.StringTerm(name), index: index, form: formOf(sf.Type),
			omitEmpty: strings.Contains(options, "omitempty"), omitZero: strings.Contains(options, "omitzero"),
		})
	}
	return all
}

// isEmpty is what encoding/json leaves out under omitempty.
func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Map, reflect.String, reflect.Array:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}
