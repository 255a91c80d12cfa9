package fix

import (
	"fmt"

	"github.com/forestall/forestall/internal/finding"
)

// entry is a key and its value.
type entry struct {
	key   string
	value any
}

// replacement is a value before and after.
type replacement struct{ old, value any }

// plan collects what is to be done to each node, so that operations on one node
// become one edit of the text.
type plan struct {
	doc      *Document
	added    map[*node][]entry
	replaced map[*node]replacement
	// removed entries of mappings and items of sequences.
	removed map[*node]bool
	// order in which nodes were touched first.
	order []*node
}

func (p *plan) take(c Change) error {
	for _, op := range c.Patch {
		steps, err := c.steps(op)
		if err != nil {
			return err
		}
		value, err := normal(op.Value)
		if err != nil {
			return err
		}
		if err := p.do(op, steps, value); err != nil {
			return err
		}
	}
	return nil
}

// do walks to the field of an operation and takes it down.
func (p *plan) do(op finding.Operation, steps []string, value any) error {
	at := p.doc.root
	for i, step := range steps {
		if err := changeable(at, p.doc.root); err != nil {
			return err
		}
		if r, ok := p.replaced[at]; ok {
			v, err := set(r.value, steps[i:], op.Op, value)
			p.replaced[at] = replacement{old: r.old, value: v}
			return err
		}
		next := at.child(step)
		switch last := i == len(steps)-1; {
		case next == nil:
			return p.add(at, steps[i:], op.Op, value)
		case last && op.Op == "remove":
			return p.remove(next)
		case last:
			return p.replace(next, lookup(p.doc.value, steps), value)
		}
		at = next
	}
	return errUnlike
}

// changeable reports why the inside of a value cannot be changed.
func changeable(n, root *node) error {
	switch {
	case n.kind == alias:
		return fmt.Errorf("%s is the alias *%s: write out what it stands for, then it can be changed", n.name(), n.text)
	case n.anchor != "" && n != root:
		return fmt.Errorf("%s has the anchor &%s, and the aliases *%s would change with it: change it by hand", n.name(), n.anchor, n.anchor)
	}
	return nil
}

// name says which value of the document it is.
func (n *node) name() string {
	if n.parent == nil {
		return "the document"
	}
	for i, item := range n.parent.items {
		switch {
		case item != n:
		case n.parent.kind == mapping:
			return n.parent.keys[i].text
		default:
			return fmt.Sprintf("%s[%d]", n.parent.name(), i)
		}
	}
	return "a value"
}

func (p *plan) touch(n *node) {
	_, isAdded := p.added[n]
	_, isReplaced := p.replaced[n]
	if !isAdded && !isReplaced && !p.removed[n] {
		p.order = append(p.order, n)
	}
}

// add takes down a new entry, or puts it into one that was taken down before.
func (p *plan) add(at *node, steps []string, op string, value any) error {
	for i, e := range p.added[at] {
		if e.key == steps[0] {
			v, err := set(e.value, steps[1:], op, value)
			p.added[at][i].value = v
			return err
		}
	}
	switch {
	case len(steps) > 1 && at.merges:
		return fmt.Errorf("%s comes from a merge (<<): write it out, then it can be changed", steps[0])
	case len(steps) > 1 || at.kind != mapping || op == "remove":
		return fmt.Errorf("there is no %s in %s", steps[0], at.name())
	}
	p.touch(at)
	p.added[at] = append(p.added[at], entry{steps[0], value})
	return nil
}

func (p *plan) replace(n *node, old, value any) error {
	if n.anchor != "" {
		return changeable(n, nil)
	}
	p.touch(n)
	p.replaced[n] = replacement{old: old, value: value}
	return nil
}

func (p *plan) remove(n *node) error {
	if n.anchor != "" {
		return changeable(n, nil)
	}
	p.touch(n)
	p.removed[n] = true
	return nil
}

// edits turns what was taken down into edits of the text.
func (p *plan) edits() ([]edit, error) {
	w := writer{text: p.doc.text, style: p.doc.style}
	for _, n := range p.order {
		var err error
		if r, ok := p.replaced[n]; ok {
			err = w.replace(n, r)
		} else if p.removed[n] {
			err = w.remove(n)
		} else {
			w.insert(n, p.added[n])
		}
		if err != nil {
			return nil, err
		}
	}
	return w.edits, nil
}
