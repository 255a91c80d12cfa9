package manifest

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

const (
	// maxRepeated bounds what is told of one document.
	maxRepeated = 100
	// maxCompared bounds how many values are held against each other to see whether they are the same.
	maxCompared = 10_000
)

// give tells each object of the document which of its fields stand more than once; the paths are those in the document.
// What is repeated in a List around the objects is a fault: an object may be lost.
func (d *Document) give(all []Repeated) {
	if len(all) == 0 || len(d.Objects) == 0 {
		return
	}
	at := make(map[string]int, len(d.Objects))
	for i := range d.Objects {
		at[d.Objects[i].At] = i
	}
	for _, r := range all {
		i, path, ok := owner(at, r.Path)
		if !ok {
			d.Fail(r.Last, fmt.Errorf("%s stands twice in the List, first on line %d: only the last one is read", r.Path, r.First))
			continue
		}
		r.Path = path
		d.Objects[i].Repeated = append(d.Objects[i].Repeated, r)
	}
}

// owner finds the object in which a path leads, and the rest of the path.
func owner(at map[string]int, path string) (i int, rest string, ok bool) {
	if i, ok = at[""]; ok {
		return i, path, true
	}
	for end := 0; ; end++ {
		next := strings.IndexByte(path[end:], '.')
		if next < 0 {
			return 0, "", false
		}
		end += next
		if i, ok = at[path[:end]]; ok {
			return i, path[end+1:], true
		}
	}
}

// repeatedKeys finds the keys that stand more than once in one mapping of a tree.
type repeatedKeys struct {
	// first is the line of the text in the file.
	first    int
	found    []Repeated
	compared int
}

// in looks through a value.
func (r *repeatedKeys) in(n *yaml.Node, at *way) {
	switch n.Kind {
	case yaml.DocumentNode:
		for _, child := range n.Content {
			r.in(child, at)
		}
	case yaml.SequenceNode:
		for i, child := range n.Content {
			r.in(child, &way{outer: at, item: true, index: i})
		}
	case yaml.MappingNode:
		r.mapping(n, at)
	}
}

func (r *repeatedKeys) mapping(n *yaml.Node, at *way) {
	last := make(map[string]int, len(n.Content)/2) // by key, where it stands last
	for i := 0; i+1 < len(n.Content); i += 2 {
		last[n.Content[i].Value] = i
	}
	told := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		next := &way{outer: at, name: key.Value}
		final := last[key.Value]
		switch {
		case final == i:
			r.in(n.Content[i+1], next)
		case !isMerge(key) && !told[key.Value] && len(r.found) < maxRepeated:
			told[key.Value] = true
			r.found = append(r.found, Repeated{
				Path: next.String(), First: r.first + key.Line - 1, Last: r.first + n.Content[final].Line - 1,
				Same: r.same(n.Content[i+1], n.Content[final+1]),
			})
		}
	}
}

// same reports whether two values say the same, as far as it is cheap to know.
func (r *repeatedKeys) same(a, b *yaml.Node) bool {
	r.compared++
	if r.compared > maxCompared || a.Kind != b.Kind || a.Value != b.Value || a.ShortTag() != b.ShortTag() || len(a.Content) != len(b.Content) {
		return false
	}
	for i := range a.Content {
		if !r.same(a.Content[i], b.Content[i]) {
			return false
		}
	}
	return true
}
