package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/forestall/forestall/internal/similar"
)

// source is the text that a configuration was read from, for errors that name a line.
type source struct {
	name string
	root *yaml.Node
}

func newSource(name string, raw []byte) (source, error) {
	s := source{name: name}
	var document yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(raw))
	err := decoder.Decode(&document)
	if errors.Is(err, io.EOF) {
		return s, s.about(0, errors.New("the configuration is empty"))
	}
	if err == nil && decoder.Decode(&yaml.Node{}) == nil {
		err = errors.New("there is more than one document")
	}
	if err != nil {
		return s, s.about(0, fmt.Errorf("decoding the configuration: %s", strings.TrimPrefix(err.Error(), "yaml: ")))
	}
	s.root = document.Content[0]
	return s, nil
}

// about puts the name of the file and the line before an error.
func (s source) about(line int, err error) error {
	place := s.name
	if line > 0 {
		place += ":" + strconv.Itoa(line)
	}
	if place = strings.TrimPrefix(place, ":"); place == "" {
		return err
	}
	if s.name == "" {
		place = "line " + place
	}
	return fmt.Errorf("%s: %w", place, err)
}

// decode reads the text into the configuration, strictly.
func (s source) decode(c *Configuration) error {
	if errs := s.strict(s.root, reflect.TypeFor[Configuration](), ""); len(errs) > 0 {
		return errors.Join(errs...)
	}
	var content any
	if err := s.root.Decode(&content); err != nil { // such as a key that is given twice
		return s.about(0, fmt.Errorf("decoding the configuration: %s", strings.TrimPrefix(err.Error(), "yaml: ")))
	}
	text, err := json.Marshal(content)
	if err != nil {
		return s.about(0, fmt.Errorf("decoding the configuration: %w", err))
	}
	wrong := &json.UnmarshalTypeError{}
	if err := json.Unmarshal(text, c); errors.As(err, &wrong) && wrong.Field == "" {
		return s.about(s.root.Line, fmt.Errorf("the configuration is a %s: it must be a mapping", inYAML(wrong.Value)))
	} else if wrong.Field != "" {
		return s.locate(fmt.Errorf("%s: a %s cannot stand here", wrong.Field, inYAML(wrong.Value)))
	} else if err != nil {
		return s.about(0, fmt.Errorf("decoding the configuration: %w", err))
	}
	return nil
}

// inYAML is the word that people who write YAML use.
func inYAML(kind string) string {
	switch kind {
	case "array":
		return "list"
	case "object":
		return "mapping"
	case "bool":
		return "boolean"
	}
	return kind
}

// strict finds fields that the type does not have.
func (s source) strict(n *yaml.Node, t reflect.Type, at string) []error {
	if n.Kind == yaml.SequenceNode && t.Kind() == reflect.Slice {
		return s.strictItems(n, t.Elem(), at)
	}
	if n.Kind != yaml.MappingNode {
		return nil
	}
	var errs []error
	switch t.Kind() {
	case reflect.Map:
		for i := 1; i < len(n.Content); i += 2 {
			errs = append(errs, s.strict(n.Content[i], t.Elem(), at+n.Content[i-1].Value+".")...)
		}
	case reflect.Struct:
		fields := fieldsOf(t)
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i]
			if f, ok := fields[key.Value]; ok {
				errs = append(errs, s.strict(n.Content[i+1], f, at+key.Value+".")...)
				continue
			}
			question := similar.Question(key.Value, names(fields))
			errs = append(errs, s.about(key.Line, fmt.Errorf("%s%s: there is no such field%s", at, key.Value, question)))
		}
	}
	return errs
}

// strictItems looks into the items of a list. The place of a list ends in a dot.
func (s source) strictItems(n *yaml.Node, t reflect.Type, at string) []error {
	var errs []error
	for i, item := range n.Content {
		errs = append(errs, s.strict(item, t, fmt.Sprintf("%s[%d].", strings.TrimSuffix(at, "."), i))...)
	}
	return errs
}

func fieldsOf(t reflect.Type) map[string]reflect.Type {
	fields := map[string]reflect.Type{}
	for i := range t.NumField() {
		if name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ","); name != "" {
			fields[name] = t.Field(i).Type
		}
	}
	return fields
}

func names(fields map[string]reflect.Type) []string {
	all := make([]string, 0, len(fields))
	for name := range fields {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}

// locate puts lines before joined errors that begin with the place of a setting.
func (s source) locate(err error) error {
	if err == nil {
		return nil
	}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var all []error
		for _, e := range joined.Unwrap() {
			all = append(all, s.locate(e))
		}
		return errors.Join(all...)
	}
	place, _, _ := strings.Cut(err.Error(), ": ")
	return s.about(lineOf(s.root, place), err)
}

// lineOf returns the line of the deepest field on the way to a place.
func lineOf(n *yaml.Node, place string) int {
	line := 0
	for n != nil {
		var at int
		if n.Kind == yaml.SequenceNode {
			at, n, place = itemOf(n, place)
		} else {
			at, n, place = fieldOf(n, place)
		}
		if at > 0 {
			line = at
		}
	}
	return line
}

// fieldOf goes one step on the way to a place: to the line of a key, its value and the rest
// of the way. Keys may hold dots: the longest that fits is taken.
func fieldOf(n *yaml.Node, place string) (line int, next *yaml.Node, rest string) {
	if n.Kind != yaml.MappingNode {
		return 0, nil, ""
	}
	taken := -1
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i].Value
		fits := place == key || strings.HasPrefix(place, key+".") || strings.HasPrefix(place, key+"[")
		if fits && len(key) > taken {
			taken, line, next = len(key), n.Content[i].Line, n.Content[i+1]
		}
	}
	if next == nil {
		return 0, nil, ""
	}
	return line, next, strings.TrimPrefix(place[taken:], ".")
}

// itemOf goes one step into a list, such as [1].like.
func itemOf(n *yaml.Node, place string) (line int, next *yaml.Node, rest string) {
	var i int
	if _, err := fmt.Sscanf(place, "[%d]", &i); err != nil || i < 0 || i >= len(n.Content) {
		return 0, nil, ""
	}
	_, rest, _ = strings.Cut(place, "]")
	return n.Content[i].Line, n.Content[i], strings.TrimPrefix(rest, ".")
}
