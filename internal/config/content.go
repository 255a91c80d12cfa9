package config

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/forestall/forestall/internal/similar"
)

// content reads a node as far as it fits the type: what does not fit is left out of the value, and is
// an error. So one mistake hides no other.
func (s source) content(n *yaml.Node, t reflect.Type, at string) (value any, errs []error) {
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	switch t.Kind() {
	case reflect.Struct, reflect.Map:
		if n.Kind == yaml.MappingNode {
			return s.mapping(n, t, at)
		}
	case reflect.Slice:
		if n.Kind == yaml.SequenceNode {
			return s.list(n, t.Elem(), at)
		}
	case reflect.Interface:
		return s.anything(n, at)
	}
	value, kind, err := scalar(n)
	switch {
	case err != nil:
		return nil, []error{s.about(n.Line, fmt.Errorf("%s: %w", at, err))}
	case kind == t.Kind() || kind == reflect.Invalid: // nothing is the zero value
		return value, nil
	case at == "":
		return nil, []error{s.about(n.Line, fmt.Errorf("the configuration is a %s: it must be a mapping", word(kind)))}
	}
	return nil, []error{s.locate(fmt.Errorf("%s: a %s cannot stand here", at, word(kind)))}
}

// mapping reads a struct, whose fields are known, or a map.
func (s source) mapping(n *yaml.Node, t reflect.Type, at string) (any, []error) {
	out := map[string]any{}
	fields := map[string]reflect.Type{}
	if t.Kind() == reflect.Struct {
		fields = fieldsOf(t)
	}
	errs := s.repeated(n, at)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, inner := n.Content[i], fields[n.Content[i].Value]
		if t.Kind() == reflect.Map {
			inner = t.Elem()
		} else if inner == nil {
			question := similar.Question(key.Value, names(fields))
			errs = append(errs, s.about(key.Line, fmt.Errorf("%s: there is no such field%s", below(at, key.Value), question)))
			continue
		}
		if _, known := out[key.Value]; known {
			continue
		}
		value, wrong := s.content(n.Content[i+1], inner, below(at, key.Value))
		errs = append(errs, wrong...)
		if len(wrong) == 0 || value != nil {
			out[key.Value] = value
		}
	}
	return out, errs
}

// repeatedError is about a key that was read before, in this line.
type repeatedError struct{ line int }

// Error names the line.
func (e repeatedError) Error() string { return fmt.Sprintf("it is set in line %d already", e.line) }

// repeated finds keys that a mapping has twice.
func (s source) repeated(n *yaml.Node, at string) []error {
	var errs []error
	first := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if line, known := first[key.Value]; known {
			errs = append(errs, s.about(key.Line, fmt.Errorf("%s: %w", below(at, key.Value), repeatedError{line})))
			continue
		}
		first[key.Value] = key.Line
	}
	return errs
}

func (s source) list(n *yaml.Node, t reflect.Type, at string) (any, []error) {
	out := []any{}
	var errs []error
	for i, item := range n.Content {
		value, wrong := s.content(item, t, at+"["+strconv.Itoa(i)+"]")
		errs = append(errs, wrong...)
		if len(wrong) > 0 && value == nil {
			value = reflect.Zero(t).Interface() // the others keep their positions
		}
		out = append(out, value)
	}
	return out, errs
}

// anything reads what only the rules know the type of.
func (s source) anything(n *yaml.Node, at string) (any, []error) {
	var value any
	err := n.Decode(&value)
	if wrong := (&yaml.TypeError{}); errors.As(err, &wrong) && n.Kind == yaml.MappingNode {
		if errs := s.repeated(n, at); len(errs) > 0 {
			return nil, errs
		}
	}
	if err != nil {
		return nil, []error{s.about(n.Line, fmt.Errorf("%s: %s", at, strings.TrimPrefix(err.Error(), "yaml: ")))}
	}
	return value, nil
}

// scalar reads what is no mapping where one is wanted, and says what it is.
func scalar(n *yaml.Node) (any, reflect.Kind, error) {
	switch n.Kind {
	case yaml.MappingNode:
		return nil, reflect.Map, nil
	case yaml.SequenceNode:
		return nil, reflect.Slice, nil
	}
	if n.ShortTag() == "!!timestamp" {
		return n.Value, reflect.String, nil
	}
	var value any
	if err := n.Decode(&value); err != nil {
		return nil, reflect.Invalid, errors.New(strings.TrimPrefix(err.Error(), "yaml: "))
	}
	return value, reflect.ValueOf(value).Kind(), nil
}

// word is what people who write YAML call a kind of value.
func word(k reflect.Kind) string {
	switch k {
	case reflect.Map:
		return "mapping"
	case reflect.Slice:
		return "list"
	case reflect.Bool:
		return "boolean"
	case reflect.String:
		return "string"
	}
	return "number"
}

// below is the place of a key.
func below(at, key string) string {
	if at == "" {
		return key
	}
	return at + "." + key
}
