package fix

import (
	"bytes"
	"slices"
	"strconv"
	"unicode/utf8"
)

type kind int

const (
	scalar kind = iota
	null
	mapping
	sequence
	alias
)

// node is a value and its place in the text.
type node struct {
	kind   kind
	parent *node
	// start is where the value begins, behind its anchor and tag; end is behind its
	// last character. After a block scalar that is the beginning of a line.
	start, end int
	// flow is true within brackets, where indentation has no meaning.
	flow bool
	// column of the keys or dashes of a block collection, from 0.
	column int
	// quote of a scalar: ', ", | or >; 0 where it is plain.
	quote byte
	// text of a scalar, name of an alias.
	text string
	// keys of a mapping; items are the values that belong to them, or those of a sequence.
	keys, items []*node
	// merges is true for a mapping with a merge key.
	merges bool
	// anchor is set where aliases elsewhere stand for the same value.
	anchor string
}

// child returns what a step leads to; nil when there is nothing.
func (n *node) child(step string) *node {
	switch n.kind {
	case mapping:
		for i, key := range slices.Backward(n.keys) { // of those that stand twice the last one counts
			if key.text == step {
				return n.items[i]
			}
		}
	case sequence:
		if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(n.items) {
			return n.items[i]
		}
	}
	return nil
}

func (n *node) collection() bool { return n.kind == mapping || n.kind == sequence }

// inBlock reports whether the node is a block collection.
func (n *node) inBlock() bool { return n.collection() && !n.flow }

// walk calls visit for a node and all below it.
func (n *node) walk(visit func(*node)) {
	visit(n)
	for _, item := range n.items {
		item.walk(visit)
	}
}

// lineStart returns where the line of an offset begins.
func lineStart(text []byte, at int) int { return bytes.LastIndexByte(text[:at], '\n') + 1 }

// lineEnd returns where the line of an offset ends, before its line break.
func lineEnd(text []byte, at int) int {
	end := len(text)
	if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
		end = at + i
	}
	if end > at && text[end-1] == '\r' {
		end--
	}
	return end
}

// nextLine returns where the line after that of an offset begins; ok is false in
// the last line, when no line break ends it.
func nextLine(text []byte, at int) (next int, ok bool) {
	i := bytes.IndexByte(text[at:], '\n')
	if i < 0 {
		return len(text), false
	}
	return at + i + 1, true
}

func columnOf(text []byte, at int) int { return utf8.RuneCount(text[lineStart(text, at):at]) }

// indentOf returns the white space that the line of an offset begins with.
func indentOf(text []byte, at int) string {
	line := text[lineStart(text, at):]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

func sameLine(text []byte, a, b int) bool { return bytes.IndexByte(text[a:b], '\n') < 0 }
