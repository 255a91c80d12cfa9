package hostile

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// place is where a value stands in a JSON document: field names and list indices.
type place []any

func (p place) String() string {
	var b strings.Builder
	for _, step := range p {
		switch s := step.(type) {
		case int:
			fmt.Fprintf(&b, "[%d]", s)
		case string:
			b.WriteString("." + s)
		}
	}
	return strings.TrimPrefix(b.String(), ".")
}

// places are those of all values in a document, without its root.
func places(v any, at place) []place {
	var all []place
	add := func(step, child any) {
		here := append(slices.Clone(at), step)
		all = append(append(all, here), places(child, here)...)
	}
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			add(name, v[name])
		}
	case []any:
		for i, child := range v {
			add(i, child)
		}
	}
	return all
}

// with is the document with another value at a place. What is not on the way there is shared.
func with(v any, at place, value any) any {
	if len(at) == 0 {
		return value
	}
	switch v := v.(type) {
	case map[string]any:
		v = maps.Clone(v)
		name, _ := at[0].(string)
		v[name] = with(v[name], at[1:], value)
		return v
	case []any:
		v = slices.Clone(v)
		i, _ := at[0].(int)
		v[i] = with(v[i], at[1:], value)
		return v
	}
	return v
}

// wrongValues are put in the place of each value: every type of JSON, and what is unusual for its type.
func wrongValues() []json.RawMessage {
	var all []json.RawMessage
	for _, text := range []string{
		`null`, `true`, `-1`, `2147483647`, `1e400`,
		`""`, `"x"`, `"\u0000\ud800\u2028"`, "\"\xff\xfe\"",
		`[]`, `[null]`, `["x"]`, `{}`, `{"x":{"y":[1]}}`,
	} {
		all = append(all, json.RawMessage(text))
	}
	return all
}

// mutant is a document with one wrong value.
type mutant struct {
	at    place
	value string
	raw   []byte
}

func (m mutant) String() string { return fmt.Sprintf("%s = %q", m.at, m.value) }

// mutants puts each wrong value in each place.
func mutants(t *testing.T, document any, of []place) []mutant {
	t.Helper()
	var all []mutant
	for _, at := range of {
		for _, value := range wrongValues() {
			all = append(all, mutant{at, string(value), encoded(t, with(document, at, value))})
		}
	}
	return all
}

// encoded is one line of JSON; strings stay as they were written, invalid ones too.
func encoded(t *testing.T, v any) []byte {
	t.Helper()
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return []byte(b.String())
}

// valueAt is the value at a place.
func valueAt(v any, at place) any {
	for _, step := range at {
		switch s := step.(type) {
		case string:
			o, _ := v.(map[string]any)
			v = o[s]
		case int:
			v = v.([]any)[s]
		}
	}
	return v
}
