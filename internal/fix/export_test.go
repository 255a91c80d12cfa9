package fix

import (
	"maps"
	"slices"
	"strconv"

	"github.com/forestall/forestall/internal/finding"
)

// Everywhere returns an operation for each value of a document: an entry more for
// each mapping, another value for everything else.
func Everywhere(d *Document) []finding.Operation {
	var all []finding.Operation
	var walk func(steps []string, v any)
	walk = func(steps []string, v any) {
		at := pointer(steps)
		switch v := v.(type) {
		case map[string]any:
			all = append(all, finding.Operation{Op: "add", Path: at + "/new~1key", Value: map[string]any{"a": []any{"x: y", map[string]any{"b": "1"}}, "c": true}})
			for _, key := range slices.Sorted(maps.Keys(v)) {
				walk(append(append([]string{}, steps...), key), v[key])
			}
		case []any:
			for i, value := range v {
				walk(append(append([]string{}, steps...), strconv.Itoa(i)), value)
			}
			all = append(all, finding.Operation{Op: "replace", Path: at, Value: append(append([]any{"first"}, v...), map[string]any{"last": "item"})})
		default:
			all = append(all, finding.Operation{Op: "replace", Path: at, Value: "another: value"})
			all = append(all, finding.Operation{Op: "replace", Path: at, Value: map[string]any{"a": []any{"b"}}})
		}
	}
	walk(nil, d.value)
	return all
}
