package apijson

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	exact "sigs.k8s.io/json"

	"github.com/forestall/forestall/internal/quantity"
)

// Problem is what the API server has against one field of an object when it decodes it strictly
// (https://kubernetes.io/docs/reference/using-api/api-concepts/#field-validation).
type Problem struct {
	// Path of the field, as findings have it: spec.containers[0].image.
	Path string
	// Named is the path as far as all its names are the API's own: a label may have any name.
	Named string
	// Unknown says that there is no such field, Name is how it was called, and In the objects around
	// it, the innermost first: that one has no such field.
	Unknown bool
	Name    string
	In      []Object
	// Want and Found are the type of the field, and the value that stands there as JSON.
	Want  reflect.Type
	Found []byte
	// Err says what a type that reads its own text has against it; nil for the others.
	Err error
}

// Object is an object within another one.
type Object struct {
	Path string
	Type reflect.Type
}

// maxProblems bounds what is told of one object, and maxName how many bytes of a name that somebody has made up.
const (
	maxProblems = 100
	maxName     = 256
)

// Check holds JSON against the struct type that it is to be decoded into, field by field: it finds
// all fields that the type does not know, and all values of another type than their field has. The API
// server tells of the second kind the first one alone. Names are case-sensitive, null stands for
// nothing in any field, and below an unknown field nothing is looked at.
//
// It returns at most 100 problems, and none for a text that is no JSON.
func Check(raw []byte, t reflect.Type) []Problem {
	c := checker{
		decoder: jsontext.NewDecoder(bytes.NewBuffer(raw), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)),
		fields:  map[reflect.Type]map[string]reflect.Type{},
	}
	if c.value(t, nil) != nil {
		return nil
	}
	return c.found
}

// checker reads one object.
type checker struct {
	decoder *jsontext.Decoder
	fields  map[reflect.Type]map[string]reflect.Type
	found   []Problem
}

// step is one step of the way to a value: a name, or a position in a list. Paths are written for problems alone.
type step struct {
	outer *step
	// in is the struct, map or list in which it is a step.
	in    reflect.Type
	name  string
	index int
}

// value holds the next value against a type. It fails where the text is no JSON.
func (c *checker) value(t reflect.Type, at *step) error {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	kind := c.decoder.PeekKind()
	if len(c.found) >= maxProblems || kind == jsontext.KindNull || t.Kind() == reflect.Interface {
		return c.decoder.SkipValue()
	}
	switch {
	case DecodesItself(t):
		return c.leaf(t, at)
	case kind == jsontext.KindBeginObject && t.Kind() == reflect.Struct:
		return c.object(t, at, func(name string) reflect.Type { return c.fieldsOf(t)[name] })
	case kind == jsontext.KindBeginObject && t.Kind() == reflect.Map:
		return c.object(t, at, func(string) reflect.Type { return t.Elem() })
	case kind == jsontext.KindBeginArray && t.Kind() == reflect.Slice && t.Elem().Kind() != reflect.Uint8:
		return c.list(t, at)
	}
	return c.leaf(t, at)
}

// object reads an object; typeOf tells the type of each field, nil for one that is not known.
func (c *checker) object(in reflect.Type, at *step, typeOf func(name string) reflect.Type) error {
	if _, err := c.decoder.ReadToken(); err != nil {
		return err
	}
	for c.decoder.PeekKind() == jsontext.KindString {
		key, err := c.decoder.ReadToken()
		if err != nil {
			return err
		}
		next := &step{outer: at, in: in, name: key.String()}
		if t := typeOf(next.name); t != nil {
			err = c.value(t, next)
		} else {
			c.tell(Problem{Unknown: true, Name: cut(next.name), In: next.around()}, next)
			err = c.decoder.SkipValue()
		}
		if err != nil {
			return err
		}
	}
	_, err := c.decoder.ReadToken()
	return err
}

func (c *checker) list(t reflect.Type, at *step) error {
	if _, err := c.decoder.ReadToken(); err != nil {
		return err
	}
	for i := 0; c.decoder.PeekKind() != jsontext.KindEndArray; i++ {
		if err := c.value(t.Elem(), &step{outer: at, in: t, index: i}); err != nil {
			return err
		}
	}
	_, err := c.decoder.ReadToken()
	return err
}

// leaf decodes a value as the API server does, to see whether its type takes it.
func (c *checker) leaf(t reflect.Type, at *step) error {
	text, err := c.decoder.ReadValue()
	if err != nil {
		return err
	}
	if DecodesItself(t) && quantity.Huge(text) { // it would keep the parser busy
		c.tell(Problem{Want: t, Found: text, Err: quantity.ErrHuge}, at)
		return nil
	}
	if err := exact.UnmarshalCaseSensitivePreserveInts(text, reflect.New(t).Interface()); err != nil {
		p := Problem{Want: t, Found: text}
		if DecodesItself(t) {
			p.Err = err
		}
		c.tell(p, at)
	}
	return nil
}

// tell keeps a problem, with its place.
func (c *checker) tell(p Problem, at *step) {
	if len(c.found) >= maxProblems {
		return
	}
	p.Path, p.Named = at.String(), at.named().String()
	p.Found = bytes.Clone(p.Found[:min(len(p.Found), maxName)])
	c.found = append(c.found, p)
}

// DecodesItself reports whether a type reads its own text, such as a quantity.
func DecodesItself(t reflect.Type) bool {
	return reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]())
}

func (c *checker) fieldsOf(t reflect.Type) map[string]reflect.Type {
	known, ok := c.fields[t]
	if !ok {
		known = Fields(t)
		c.fields[t] = known
	}
	return known
}

// Fields returns the fields of a struct type by their names in JSON, those of the structs that it takes
// in among them.
func Fields(t reflect.Type) map[string]reflect.Type {
	all := map[string]reflect.Type{}
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		inner := f.Type
		if inner.Kind() == reflect.Pointer {
			inner = inner.Elem()
		}
		switch {
		case name == "-" || !f.IsExported():
		case name != "":
			all[name] = f.Type
		case f.Anonymous && inner.Kind() == reflect.Struct:
			for name, of := range Fields(inner) {
				all[name] = of
			}
		default:
			all[f.Name] = f.Type
		}
	}
	return all
}

// String writes the path. A name that is no plain one stands in brackets, as in
// metadata.labels[example.com/a.b].
func (s *step) String() string {
	if s == nil {
		return ""
	}
	outer := s.outer.String()
	switch {
	case s.in.Kind() == reflect.Slice:
		return outer + "[" + strconv.Itoa(s.index) + "]"
	case strings.ContainsAny(s.name, ".[]/"):
		return outer + "[" + cut(s.name) + "]"
	case outer == "":
		return cut(s.name)
	}
	return outer + "." + cut(s.name)
}

// named leaves out the names that are no fields of the API, and what is below them.
func (s *step) named() *step {
	last := s
	for at := s; at != nil; at = at.outer {
		if at.in.Kind() == reflect.Map {
			last = at.outer
		}
	}
	return last
}

// around returns the objects around a field, the innermost first.
func (s *step) around() []Object {
	var all []Object
	for at := s; at != nil; at = at.outer {
		if at.in.Kind() == reflect.Struct {
			all = append(all, Object{Path: at.outer.String(), Type: at.in})
		}
	}
	return all
}

func cut(name string) string { return strings.ToValidUTF8(name[:min(len(name), maxName)], "") }
