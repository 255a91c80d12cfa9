package fix

import "strings"

// writer makes edits of the text, in the style of what is around them.
type writer struct {
	text  []byte
	style style
	edits []edit
}

func (w *writer) put(at int, text string) {
	w.edits = append(w.edits, edit{start: at, end: at, text: text})
}

// insert puts entries into a mapping.
func (w *writer) insert(n *node, entries []entry) {
	if n.flow {
		w.insertFlow(n, entries)
		return
	}
	b := blockText{style: w.style.near(n), quote: quotesOf(n)}
	var lines []string
	for _, e := range entries {
		lines = append(lines, b.entry(e.key, e.value, n.column)...)
	}
	w.after(n.end, lines, n.column)
}

// after puts lines behind the line on which something ends.
func (w *writer) after(end int, lines []string, column int) {
	at, ended := end, end > 0 && w.text[end-1] == '\n'
	if !ended {
		at, ended = nextLine(w.text, end)
	}
	text := strings.Join(lines, w.style.newline)
	if ended {
		text += w.style.newline
	} else { // the last line of a file need not end
		text = w.style.newline + text
	}
	w.edits = append(w.edits, edit{start: at, end: at, text: text, column: column})
}

// replace puts a value in the place of another.
func (w *writer) replace(n *node, r replacement) error {
	if n.parent == nil {
		return errUnlike
	}
	items, isList := r.value.([]any)
	old, wasList := r.old.([]any)
	switch {
	case isList && wasList && len(items) > 0 && len(old) == len(n.items) && len(old) > 0:
		return w.items(n, old, items)
	case n.parent.flow, n.flow && n.collection():
		w.inPlace(n, w.flowInPlaceOf(n).value(r.value))
	case isEmpty(r.value):
		w.inPlace(n, scalarText(r.value, quoteOf(n), false))
	default:
		w.block(n, r.value)
	}
	return nil
}

func quoteOf(n *node) byte {
	if n.quote == '\'' || n.quote == '"' {
		return n.quote
	}
	return 0
}

// inPlace writes a value where another stands, in one line.
func (w *writer) inPlace(n *node, text string) {
	start, end := n.start, n.end
	if n.inBlock() || n.quote == '|' || n.quote == '>' {
		start = w.valueFrom(n)
		end = w.withoutBreak(end)
	}
	if (!n.parent.flow || n.start == n.end) && start > 0 && (w.text[start-1] == ':' || w.text[start-1] == '-') {
		text = " " + text
	}
	w.edits = append(w.edits, edit{start: start, end: end, text: text})
}

// block writes a collection on lines of its own below its key or dash.
func (w *writer) block(n *node, value any) {
	b := blockText{style: w.style.near(n.parent), quote: quotesOf(n)}
	var lines []string
	if n.parent.kind == mapping {
		lines = b.under(value, n.parent.column)
	} else {
		lines = b.collection(value, n.parent.column+b.style.step)
	}
	if n.kind == null || n.kind == scalar && n.quote != '|' && n.quote != '>' {
		start := n.start
		for n.end > n.start && start > 0 && (w.text[start-1] == ' ' || w.text[start-1] == '\t') {
			start--
		}
		w.edits = append(w.edits, edit{start: start, end: n.end})
		w.after(n.end, lines, n.parent.column+1)
		return
	}
	text := w.style.newline + strings.Join(lines, w.style.newline)
	w.edits = append(w.edits, edit{start: w.valueFrom(n), end: w.withoutBreak(n.end), text: text})
}

// valueFrom returns what is behind the colon or dash before a value.
func (w *writer) valueFrom(n *node) int {
	at := n.start
	mark := byte('-')
	if n.parent.kind == mapping {
		mark = ':'
	}
	for at > 0 && w.text[at-1] != mark {
		at--
	}
	return at
}

// withoutBreak moves before the line break that a block scalar ends with.
func (w *writer) withoutBreak(end int) int {
	if end > 0 && w.text[end-1] == '\n' {
		return len(strings.TrimRight(string(w.text[:end]), "\r\n"))
	}
	return end
}
