package manifest

import (
	"strconv"
)

// outline is the tree of the keys and items of a YAML text, with their lines. It is read from the
// indentation alone, in a small part of the time that a parser takes. It can only be read from
// texts that are written as nearly all manifests are: in block style, with values that are plain,
// stand in a block, or begin and end on one line.
//
// The text is known to be YAML, since it was parsed before.
type outline struct {
	nodes []node
}

// node is a value of the tree. Nodes refer to each other by their positions in the list; 0 is the
// root.
type node struct {
	// key in the mapping around it; nil for the root and for items.
	key []byte
	// line of the key, or at which the item begins; 0 while that is not known.
	line int
	// first and last of its children, and the next sibling; 0 for none.
	first, last, next int
	// items is true for a list.
	items bool
}

// find follows the steps as far as they lead, and returns the line where they end.
func (o *outline) find(steps []string) int {
	at := 0
	for _, step := range steps {
		next := o.child(at, step)
		if next == 0 {
			break
		}
		at = next
	}
	return o.nodes[at].line
}

func (o *outline) child(of int, step string) int {
	n := &o.nodes[of]
	if !n.items {
		found := 0
		for at := n.first; at != 0; at = o.nodes[at].next {
			if string(o.nodes[at].key) == step { // the last one counts
				found = at
			}
		}
		return found
	}
	i, err := strconv.Atoi(step)
	if err != nil || i < 0 {
		return 0
	}
	at := n.first
	for ; at != 0 && i > 0; i-- {
		at = o.nodes[at].next
	}
	return at
}

// add makes a node the last child of another one.
func (o *outline) add(parent int, n node) int {
	at := len(o.nodes)
	o.nodes = append(o.nodes, n)
	p := &o.nodes[parent]
	if p.first == 0 {
		p.first = at
	} else {
		o.nodes[p.last].next = at
	}
	p.last = at
	return at
}
