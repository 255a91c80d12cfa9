package fix

import (
	"bytes"
	"maps"
	"slices"
	"strings"
)

// flowText writes values within brackets.
type flowText struct {
	// keyQuote and quote stand around keys and texts; 0 for none unless needed.
	keyQuote, quote byte
	colon, comma    string
	// pad is what stands behind an opening bracket in one line.
	pad string
	// lines is true where each entry has a line of its own; indent is that of the
	// line on which the collection begins.
	lines         bool
	newline, step string
	indent        string
}

func (f flowText) entry(e entry) string {
	return scalarText(e.key, f.keyQuote, true) + f.colon + f.value(e.value)
}

func (f flowText) value(v any) string {
	if isEmpty(v) {
		return scalarText(v, f.quote, true)
	}
	inner := f
	inner.indent += f.step
	var parts []string
	if list, ok := v.([]any); ok {
		for _, item := range list {
			parts = append(parts, inner.value(item))
		}
		return f.bracketed("[", parts, "]")
	}
	fields, _ := v.(map[string]any)
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		parts = append(parts, inner.entry(entry{key, fields[key]}))
	}
	return f.bracketed("{", parts, "}")
}

func (f flowText) bracketed(opening string, parts []string, closing string) string {
	if f.lines {
		begin := f.newline + f.indent + f.step
		return opening + begin + strings.Join(parts, strings.TrimRight(f.comma, " ")+begin) + f.newline + f.indent + closing
	}
	pad := f.pad
	if opening == "[" {
		pad = ""
	}
	return opening + pad + strings.Join(parts, f.comma) + pad + closing
}

// flowNear returns how values are written within a flow collection.
func (w *writer) flowNear(n *node) flowText {
	f := flowText{
		quote: quotesOf(n), colon: ": ", comma: ", ",
		newline: w.style.newline, step: w.style.flowStep,
	}
	if w.style.json {
		f.quote, f.keyQuote = '"', '"'
	}
	// The next collection that has entries shows how they are written.
	shown := n
	for shown.parent != nil && shown.parent.flow && len(shown.keys) == 0 {
		shown = shown.parent
	}
	f.lines = multiline(w.text, shown) && (w.style.json || shown == n)
	f.indent = w.indent(n, f.lines)
	if len(shown.keys) > 0 {
		f.as(w.text, shown)
	}
	return f
}

// as takes over the quotes and spaces of a flow mapping.
func (f *flowText) as(text []byte, shown *node) {
	key, value := shown.keys[0], shown.items[0]
	if key.quote == '"' {
		f.keyQuote, f.quote = '"', '"'
		if value.start == key.end+1 && value.end > value.start {
			f.colon, f.comma = ":", ","
		}
	}
	if len(shown.keys) > 1 && shown.items[0].end+1 == shown.keys[1].start {
		f.comma = ","
	}
	if !f.lines && shown.start+1 < key.start && text[shown.start] == '{' {
		f.pad = string(text[shown.start+1 : key.start])
	}
}

// flowInPlaceOf returns how a value is written that stands where another stood.
func (w *writer) flowInPlaceOf(n *node) flowText {
	at := n
	if !n.collection() {
		at = n.parent
	}
	f := w.flowNear(at)
	if n.kind == scalar && !w.style.json {
		f.quote = quoteOf(n)
	}
	f.indent = w.indent(n, f.lines)
	return f
}

// indent of the line on which a node begins, where it matters: the line may be a
// whole document.
func (w *writer) indent(n *node, matters bool) string {
	if !matters {
		return ""
	}
	return indentOf(w.text, n.start)
}

// insertFlow puts entries behind the last of a flow mapping.
func (w *writer) insertFlow(n *node, entries []entry) {
	f := w.flowNear(n)
	inner := f
	inner.indent += f.step
	if len(n.keys) > 0 && f.lines {
		inner.indent = indentOf(w.text, n.keys[0].start)
	}
	var parts []string
	for _, e := range entries {
		parts = append(parts, inner.entry(e))
	}
	if len(n.keys) == 0 {
		text := f.bracketed("{", parts, "}")
		text = text[1 : len(text)-1]
		if isBlank(w.text[n.start+1]) { // { } has its space before the closing bracket already
			text = strings.TrimSuffix(text, f.pad)
		}
		w.put(n.start+1, text)
		return
	}
	before := f.comma
	if f.lines {
		before = "," + f.newline + inner.indent
	}
	w.append(n.items[len(n.items)-1].end, before, parts)
}

// append puts parts behind the last item of a flow collection. A comment at the end
// of its line stays there.
func (w *writer) append(end int, separator string, parts []string) {
	if !strings.Contains(separator, "\n") || !w.commented(end) {
		w.put(end, separator+strings.Join(parts, separator))
		return
	}
	comma, begin, _ := strings.Cut(separator, ",")
	text := comma + begin + strings.Join(parts, separator)
	if bytes.HasPrefix(bytes.TrimLeft(w.text[end:], " \t"), []byte(",")) {
		text += ","
	} else {
		w.put(end, ",")
	}
	w.put(lineEnd(w.text, end), text)
}

// commented reports whether a comment stands behind an item, on the same line.
func (w *writer) commented(end int) bool {
	rest := bytes.TrimLeft(w.text[end:lineEnd(w.text, end)], " \t,")
	return bytes.HasPrefix(rest, []byte("#"))
}
