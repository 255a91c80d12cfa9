package kustomize

import (
	"reflect"
	"strconv"

	"go.yaml.in/yaml/v3"

	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/patch"
)

// find returns where the field at a path of an object was written: in its file, or in a patch, if the same is written there. What
// transformers, generators and patches without a file have written has the line of what is around it in the file of the object.
func (o origin) find(rendered *yaml.Node, path string) finding.Source {
	steps, err := patch.Steps(path)
	if err != nil {
		steps = nil // the object itself
	}
	root := content(rendered)
	line, found := search(root, content(o.object), steps)
	if !found {
		for _, p := range o.patches {
			if at, ok := search(root, content(p.node), steps); ok {
				return finding.Source{File: p.name, Line: at}
			}
		}
	}
	return finding.Source{File: o.name, Line: line}
}

// search follows steps through an object and what it was made of at once, as far as the object has them. It reports whether
// the same stands at the end, and on which line; else the line of the innermost mapping or item on the way.
func search(object, source *yaml.Node, steps []string) (line int, found bool) {
	if source == nil {
		return 0, false
	}
	line = source.Line
	around := line
	for _, step := range steps {
		next, i := child(object, step)
		if next == nil {
			break
		}
		at, below := same(source, next, step, i)
		if below == nil {
			return around, false
		}
		object, source, line = next, below, at
		if below.Kind == yaml.MappingNode {
			around = at
		}
	}
	if !alike(object, source) {
		return around, false
	}
	return line, true
}

// child returns what a step leads to, and its position in a list.
func child(n *yaml.Node, step string) (*yaml.Node, int) {
	switch n.Kind {
	case yaml.MappingNode:
		return valueOf(n, step), 0
	case yaml.SequenceNode:
		if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(n.Content) {
			return n.Content[i], i
		}
	}
	return nil, 0
}

// same returns what in a source a value of the object is made of, and its line: the field of the same name, the item
// of the same name, or an item that is equal. Nil stands for none, and for several.
func same(source, value *yaml.Node, step string, i int) (line int, found *yaml.Node) {
	switch source.Kind {
	case yaml.MappingNode:
		for k := 0; k+1 < len(source.Content); k += 2 {
			if source.Content[k].Value == step {
				line, found = source.Content[k].Line, resolvedNode(source.Content[k+1])
			}
		}
		return line, found
	case yaml.SequenceNode:
		if n := only(source.Content, func(item *yaml.Node) bool { return sameName(item, value) }); n != nil {
			return n.Line, n
		}
		if i < len(source.Content) && equal(source.Content[i], value) {
			return source.Content[i].Line, resolvedNode(source.Content[i])
		}
		if n := only(source.Content, func(item *yaml.Node) bool { return equal(item, value) }); n != nil {
			return n.Line, n
		}
	}
	return 0, nil
}

// only returns the one node of which something holds; nil for none and for several.
func only(all []*yaml.Node, holds func(*yaml.Node) bool) *yaml.Node {
	var found *yaml.Node
	for _, n := range all {
		if n = resolvedNode(n); !holds(n) {
			continue
		}
		if found != nil {
			return nil
		}
		found = n
	}
	return found
}

// sameName reports whether two items have the same name.
func sameName(a, b *yaml.Node) bool {
	x, y := valueOf(a, "name"), valueOf(b, "name")
	return x != nil && y != nil && x.Kind == yaml.ScalarNode && x.Value == y.Value
}

// alike reports whether a value of the object can be that of the source: the same, or a mapping or a list of such that
// has been patched here and there.
func alike(object, source *yaml.Node) bool {
	if object.Kind != source.Kind {
		return false
	}
	switch object.Kind {
	case yaml.MappingNode:
		return true
	case yaml.SequenceNode:
		if len(object.Content) > 0 && object.Content[0].Kind == yaml.MappingNode {
			return true
		}
	}
	return equal(object, source)
}

// equal reports whether two nodes stand for the same value.
func equal(a, b *yaml.Node) bool {
	var x, y any
	return a.Decode(&x) == nil && b.Decode(&y) == nil && reflect.DeepEqual(x, y)
}

// content returns the value of a document.
func content(n *yaml.Node) *yaml.Node {
	if n != nil && n.Kind == yaml.DocumentNode && len(n.Content) == 1 {
		return n.Content[0]
	}
	return n
}

// valueOf returns the value of a field; nil where there is none.
func valueOf(n *yaml.Node, name string) *yaml.Node {
	if n = resolvedNode(n); n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			return resolvedNode(n.Content[i+1])
		}
	}
	return nil
}

// resolvedNode returns what an alias stands for.
func resolvedNode(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}
