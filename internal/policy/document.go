package policy

import (
	"fmt"
	"reflect"

	"github.com/open-policy-agent/opa/v1/ast"
)

// document converts inputs for evaluation. It is put together once.
type document struct{ fields []section }

// section is a top-level field of the document.
type section struct {
	field
	name  string
	parts []field // of its value, where that is a struct
}

func newDocument() document {
	var d document
	for _, f := range fieldsOf(reflect.TypeFor[Input](), nil) {
		s := section{field: f, name: f.name()}
		if f.typ.Kind() == reflect.Struct {
			s.parts = fieldsOf(f.typ, nil)
		}
		d.fields = append(d.fields, s)
	}
	return d
}

// all are the fields of the document.
func (d document) all() []field {
	fields := make([]field, 0, len(d.fields))
	for _, s := range d.fields {
		fields = append(fields, s.field)
	}
	return fields
}

// view is the part of the document that some rules read.
func (d document) view(read sections) document {
	if read == nil {
		return d
	}
	fields := make([]section, 0, len(read))
	for _, s := range d.fields {
		if some, ok := read[s.name]; ok {
			fields = append(fields, s.only(some))
		}
	}
	return document{fields}
}

// only is a section with some parts of its value, where that is a struct.
func (s section) only(some parts) section {
	if some == nil || s.parts == nil {
		return s
	}
	var fields []field
	for _, part := range s.parts {
		if _, ok := some[part.name()]; ok {
			fields = append(fields, part)
		}
	}
	s.convert = structure(fields)
	return s
}

func (f field) name() string { return string(f.key.Value.(ast.String)) }

// value converts an input, once for all rules.
func (d document) value(in *Input) (ast.Value, error) {
	v, err := structure(d.all())(reflect.ValueOf(in).Elem())
	if err != nil {
		return nil, fmt.Errorf("converting the input document: %w", err)
	}
	return v, nil
}
