package manifest

import "bytes"

// outlineOf returns the outline of a text, or nil where it has none.
func outlineOf(raw []byte) *outline {
	if bytes.IndexByte(raw, '\t') >= 0 || hasOddBreaks(raw) || bytes.Contains(raw, []byte(bom)) {
		return nil
	}
	r := outliner{outline: &outline{nodes: make([]node, 1, 2+breaks(raw))}, pending: awaited{column: -1}}
	line := 0
	for text := range bytes.Lines(raw) {
		line++
		switch r.read(bytes.TrimRight(text, "\r\n"), line) {
		case ends:
			return r.outline
		case odd:
			return nil
		case goesOn:
		}
	}
	if r.pending.begins {
		return nil
	}
	return r.outline
}

// outcome is what became of a line.
type outcome int

const (
	goesOn outcome = iota
	ends           // the document ends before it
	odd            // it is written in a way that the outliner does not read
)

// outliner makes an outline, line by line.
type outliner struct {
	*outline
	// open are the mappings and lists around the line, the innermost last.
	open []block
	// pending is the value that may stand next.
	pending awaited
	// scalar is the column from which on lines belong to a text in block style; 0 for none.
	scalar int
	// started is true behind the start marker.
	started bool
}

// block is a mapping or a list, and the column at which its keys or items stand.
type block struct{ column, node int }

// awaited is a value that may stand behind its key or dash, or on the lines below.
type awaited struct {
	// node that it is the value of; the root, before anything was read.
	node int
	// column of the key or dash.
	column int
	// none is true when the value was there.
	none bool
	// begins is true for the value of a dash that stands alone: the item begins where that value
	// does.
	begins bool
}

func (r *outliner) read(text []byte, line int) outcome {
	rest := bytes.TrimLeft(text, " ")
	column := len(text) - len(rest)
	switch {
	case len(rest) == 0, r.scalar > 0 && column >= r.scalar, rest[0] == '#':
		return goesOn
	case column == 0 && hasMarker(rest, startMarker):
		return r.start(rest[len(startMarker):])
	case column == 0 && hasMarker(rest, endMarker):
		if r.pending.begins {
			return odd
		}
		return ends
	}
	r.scalar = 0
	isItem := hasMarker(rest, "-")
	if !r.close(column, isItem) {
		return odd
	}
	if r.pending.none && column > r.open[len(r.open)-1].column {
		return goesOn // a plain value goes on over several lines
	}
	if r.nodes[r.pending.node].line == 0 {
		r.nodes[r.pending.node].line = line
		r.pending.begins = false
	}
	return r.entries(rest, column, line)
}

// start reads what stands behind a start marker: nothing, where a document has an outline.
func (r *outliner) start(after []byte) outcome {
	if r.started || r.nodes[0].line > 0 || !isBlank(after) {
		return odd
	}
	r.started = true
	return goesOn
}

// close leaves the mappings and lists that end before an entry at a column.
func (r *outliner) close(column int, isItem bool) bool {
	p := &r.pending
	if !p.none && (column > p.column || isItem && column == p.column && !p.begins) {
		return true // it is the value of what stands before it
	}
	if p.begins {
		return false // there is nothing behind the dash
	}
	p.none = true
	for n := len(r.open); n > 0; n-- {
		top := r.open[n-1]
		if top.column < column || top.column == column && r.nodes[top.node].items == isItem {
			r.open = r.open[:n]
			return true
		}
	}
	return false
}

// entries reads the dashes and the key with which a line begins, and what stands behind them.
func (r *outliner) entries(rest []byte, column, line int) outcome {
	for hasMarker(rest, "-") {
		if !r.enter(column, true) {
			return odd
		}
		after := rest[1:]
		rest = bytes.TrimLeft(after, " ")
		r.expect(node{line: line}, column)
		if isBlank(rest) {
			r.nodes[r.pending.node].line, r.pending.begins = 0, true
			return goesOn
		}
		column += 1 + len(after) - len(rest)
	}
	key, after, ok := cutKey(rest)
	switch {
	case !ok:
		return odd
	case key == nil:
		return r.end(rest)
	case !r.enter(column, false):
		return odd
	}
	r.expect(node{line: line, key: key}, column)
	if isBlank(after) {
		return goesOn
	}
	return r.end(bytes.TrimLeft(after, " "))
}

// enter makes sure that an entry belongs to a mapping, or to a list.
func (r *outliner) enter(column int, items bool) bool {
	if !r.pending.none {
		r.nodes[r.pending.node].items = items
		r.open = append(r.open, block{column: column, node: r.pending.node})
		return true
	}
	top := r.open[len(r.open)-1]
	return top.column == column && r.nodes[top.node].items == items
}

// expect adds an entry to the innermost mapping or list; its value is what may stand next.
func (r *outliner) expect(n node, column int) {
	r.pending = awaited{node: r.add(r.open[len(r.open)-1].node, n), column: column}
}

// end reads a value that has no entries of its own.
func (r *outliner) end(text []byte) outcome {
	r.pending.none = true
	switch style := styleOf(text); {
	case style == inBlock && r.pending.column >= 0:
		r.scalar = r.pending.column + 1
		return goesOn
	case style == plain || style == onOneLine:
		return goesOn
	}
	return odd
}
