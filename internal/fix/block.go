package fix

import (
	"maps"
	"slices"
	"strings"
)

// blockText writes values as indented blocks.
type blockText struct {
	style style
	quote byte
}

// entry returns the lines of a key and its value.
func (b blockText) entry(key string, v any, indent int) []string {
	head := spaces(indent) + scalarText(key, 0, false) + ":"
	if isEmpty(v) {
		return []string{head + " " + scalarText(v, b.quote, false)}
	}
	return append([]string{head}, b.under(v, indent)...)
}

// under returns the lines of a collection that belongs to a key.
func (b blockText) under(v any, indent int) []string {
	if list, ok := v.([]any); ok {
		return b.list(list, indent+b.style.dashes)
	}
	return b.collection(v, indent+b.style.step)
}

func (b blockText) collection(v any, indent int) []string {
	if list, ok := v.([]any); ok {
		return b.list(list, indent)
	}
	var lines []string
	fields, _ := v.(map[string]any)
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		lines = append(lines, b.entry(key, fields[key], indent)...)
	}
	return lines
}

func (b blockText) list(list []any, indent int) []string {
	var lines []string
	for _, item := range list {
		lines = append(lines, b.item(item, indent)...)
	}
	return lines
}

// item returns the lines of an item of a sequence.
func (b blockText) item(v any, indent int) []string {
	const dash = "- "
	if isEmpty(v) {
		return []string{spaces(indent) + dash + scalarText(v, b.quote, false)}
	}
	lines := b.collection(v, indent+len(dash))
	lines[0] = spaces(indent) + dash + strings.TrimLeft(lines[0], " ")
	return lines
}

func spaces(n int) string { return strings.Repeat(" ", n) }
