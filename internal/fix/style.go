package fix

import (
	"bytes"
	"encoding/json"
	"strings"
)

// style is how a document is written.
type style struct {
	json bool
	// newline ends its lines.
	newline string
	// step is by how much nested blocks are indented.
	step int
	// dashes is by how much the items of a sequence are indented under their key.
	dashes int
	// flowStep is the white space by which flow collections over several lines are indented.
	flowStep string
}

func styleOf(d *Document, isJSON bool) style {
	s := style{json: isJSON, newline: "\n", step: 2, flowStep: "  "}
	if end := bytes.IndexByte(d.text, '\n'); end > 0 && d.text[end-1] == '\r' {
		s.newline = "\r\n"
	}
	steps, dashes := map[int]int{}, map[int]int{}
	flowSteps := 0
	d.root.walk(func(n *node) {
		switch {
		case n.flow && n.kind == mapping && d.multiline(n):
			if inner, outer := indentOf(d.text, n.keys[0].start), indentOf(d.text, n.start); flowSteps == 0 && strings.HasPrefix(inner, outer) && inner != outer {
				s.flowStep, flowSteps = inner[len(outer):], 1
			}
		case n.flow || n.parent == nil || n.parent.kind != mapping || n.parent.flow:
		case n.kind == mapping:
			steps[n.column-n.parent.column]++
		case n.kind == sequence:
			dashes[n.column-n.parent.column]++
		}
	})
	s.step = mostCommon(steps, s.step)
	s.dashes = mostCommon(dashes, s.dashes)
	return s
}

// mostCommon returns what was counted most often, the smallest of several.
func mostCommon(counts map[int]int, otherwise int) int {
	best := 0
	for value, count := range counts {
		if count > best || count == best && value < otherwise {
			best, otherwise = count, value
		}
	}
	return otherwise
}

// multiline reports whether a flow mapping has its first key on a line of its own.
func (d *Document) multiline(n *node) bool { return multiline(d.text, n) }

func multiline(text []byte, n *node) bool {
	first := n.items
	if n.kind == mapping {
		first = n.keys
	}
	return len(first) > 0 && !sameLine(text, n.start, first[0].start)
}

// near returns the style for what is put into a node: that of the nearest blocks
// around it.
func (s style) near(n *node) style {
	for at := n; at != nil; at = at.parent {
		if step := at.step(); step > 0 {
			s.step = step
			break
		}
	}
	return s
}

// step is by how much mappings within a block mapping are indented, or it within
// another; 0 where there are none.
func (n *node) step() int {
	if n.kind != mapping || n.flow {
		return 0
	}
	for _, item := range n.items {
		if item.kind == mapping && !item.flow {
			return item.column - n.column
		}
	}
	if n.parent != nil && n.parent.kind == mapping {
		return n.column - n.parent.column
	}
	return 0
}

// quotesOf returns the quotes around all texts below a node; 0 where they differ
// or there are none.
func quotesOf(n *node) byte {
	found, differ := byte(0), false
	n.walk(func(at *node) {
		if at.kind != scalar || at.quote == 0 && json.Valid([]byte(at.text)) {
			return
		}
		differ = differ || at.quote != '\'' && at.quote != '"' || found != 0 && found != at.quote
		found = at.quote
	})
	if differ {
		return 0
	}
	return found
}
