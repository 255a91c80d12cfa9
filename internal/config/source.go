package config

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
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
	return &lineError{line: line, err: fmt.Errorf("%s: %w", place, err)}
}

// lineError is an error about a line.
type lineError struct {
	line int
	err  error
}

// Error names the file, the line, and what is wrong there.
func (e *lineError) Error() string { return e.err.Error() }

// Unwrap returns what is wrong.
func (e *lineError) Unwrap() error { return e.err }

// InOrder joins errors about a configuration in the order of their lines, each once. Those about no line
// stand last.
func InOrder(errs ...error) error {
	var all []error
	for _, err := range errs {
		all = append(all, parts(err)...)
	}
	slices.SortStableFunc(all, func(a, b error) int { return cmp.Compare(lineIn(a), lineIn(b)) })
	return errors.Join(slices.CompactFunc(all, func(a, b error) bool { return a.Error() == b.Error() })...)
}

// others leaves out the errors that follow from what could not be read.
func others(err error, unread []error) error {
	about := map[string]bool{}
	for _, e := range unread {
		if !errors.As(e, &repeatedError{}) { // the first was read
			about[setting(e)] = true
		}
	}
	return errors.Join(slices.DeleteFunc(parts(err), func(e error) bool { return about[setting(e)] })...)
}

// setting is what an error is about: a setting, or a whole item of a list, whose fields depend on each other.
func setting(err error) string {
	if at := (&lineError{}); errors.As(err, &at) {
		err = errors.Unwrap(at.err)
	}
	place, _, _ := strings.Cut(err.Error(), ": ")
	if item, _, isItem := strings.Cut(place, "]"); isItem {
		return item
	}
	return place
}

// parts takes joined errors apart.
func parts(err error) []error {
	joined, ok := err.(interface{ Unwrap() []error })
	switch {
	case err == nil:
		return nil
	case !ok:
		return []error{err}
	}
	var all []error
	for _, e := range joined.Unwrap() {
		all = append(all, parts(e)...)
	}
	return all
}

func lineIn(err error) int {
	var at *lineError
	if errors.As(err, &at) && at.line > 0 {
		return at.line
	}
	return math.MaxInt
}

// decode reads the text into the configuration, strictly. What is wrong is left out of it.
func (s source) decode(c *Configuration) []error {
	var whole any
	err := s.root.Decode(&whole)
	if repeated := (&yaml.TypeError{}); err != nil && !errors.As(err, &repeated) { // such as aliases that never end
		return []error{s.about(0, fmt.Errorf("decoding the configuration: %s", strings.TrimPrefix(err.Error(), "yaml: ")))}
	}
	content, errs := s.content(s.root, reflect.TypeFor[Configuration](), "")
	text, err := json.Marshal(content)
	if err == nil {
		err = json.Unmarshal(text, c)
	}
	if err != nil {
		errs = append(errs, s.about(0, fmt.Errorf("decoding the configuration: %w", err)))
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
