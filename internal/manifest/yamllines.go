package manifest

import (
	"bytes"
	"slices"
	"strconv"

	"go.yaml.in/yaml/v3"

	"github.com/forestall/forestall/internal/patch"
)

// yamlLines finds fields in YAML text. It is read again, with positions, when a line is
// asked for the first time: most documents are never asked.
type yamlLines struct {
	raw []byte
	// first is the line of the text in the file.
	first int
	// outline answers lookups; where the text has no outline, root does.
	outline *outline
	root    *yaml.Node
}

func (y *yamlLines) line(o *Object, path string) int {
	steps, err := patch.Steps(join(o.At, path))
	if err != nil {
		return o.line
	}
	line := y.find(steps)
	if line == 0 {
		return o.line
	}
	last := y.first + breaks(bytes.TrimRight(y.raw, "\r\n"))
	return min(y.first+line-1, last)
}

// find returns the line within the text; 0 where that is not known.
func (y *yamlLines) find(steps []string) int {
	if y.outline == nil && y.root == nil {
		if y.outline = outlineOf(y.raw); y.outline == nil {
			y.root = parsed(y.raw)
		}
	}
	switch {
	case y.outline != nil:
		return y.outline.find(steps)
	case len(y.root.Content) == 0:
		return 0
	}
	return lineIn(y.root.Content[0], steps)
}

// parsed returns the tree of the text, with positions. An older parser has read the text before;
// nil where this one cannot.
func parsed(raw []byte) *yaml.Node {
	root := new(yaml.Node)
	if err := yaml.Unmarshal(raw, root); err != nil {
		return new(yaml.Node)
	}
	return root
}

func (y *yamlLines) item(list *Object, _ int) int { return list.line }

// lineIn follows the steps as far as they lead, and returns the line where they end.
func lineIn(n *yaml.Node, steps []string) int {
	line := n.Line
	for _, step := range steps {
		at, next := child(n, step, 0)
		if next == nil {
			break
		}
		line, n = at, next
	}
	return line
}

// child returns what a step leads to and its line: that of the key in a mapping.
// What an alias or a merge key brings in has the line on which it is written.
func child(n *yaml.Node, step string, merges int) (line int, found *yaml.Node) {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	switch n.Kind {
	case yaml.MappingNode:
		return fieldOf(n, step, merges)
	case yaml.SequenceNode:
		if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(n.Content) {
			return n.Content[i].Line, n.Content[i]
		}
	}
	return 0, nil
}

func fieldOf(n *yaml.Node, key string, merges int) (line int, found *yaml.Node) {
	const maxMerges = 32 // within each other; one that contains itself would not end
	var merged []*yaml.Node
	for pair := range slices.Chunk(n.Content, 2) {
		if pair[0].Value == key { // the last one counts
			line, found = pair[0].Line, pair[1]
		}
		if isMerge(pair[0]) {
			merged = append(merged, sources(pair[1])...)
		}
	}
	if found != nil || merges == maxMerges {
		return line, found
	}
	for _, m := range merged {
		if line, found := child(m, key, merges+1); found != nil {
			return line, found
		}
	}
	return 0, nil
}

func isMerge(key *yaml.Node) bool {
	return key.Value == "<<" && (key.Tag == "" || key.Tag == "!!merge" || key.Tag == "!")
}

// sources are the mappings that the value of a merge key names.
func sources(n *yaml.Node) []*yaml.Node {
	if n.Kind == yaml.SequenceNode {
		return n.Content
	}
	return []*yaml.Node{n}
}
