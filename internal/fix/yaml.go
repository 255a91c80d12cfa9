package fix

import (
	"bytes"
	"errors"
	"fmt"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// yamlTree finds the places of all values of a YAML document.
func yamlTree(text []byte) (*node, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return nil, fmt.Errorf("reading YAML: %w", err)
	}
	if len(document.Content) != 1 {
		return nil, errors.New("the document is empty")
	}
	b := &yamlBuilder{text: text, lines: lineStarts(text), shared: map[*yaml.Node]bool{}}
	b.findShared(&document)
	const outside = -1
	return b.build(document.Content[0], nil, outside, false)
}

type yamlBuilder struct {
	text []byte
	// lines are the offsets at which lines begin, as the parser counts them.
	lines []int
	// shared are the nodes that aliases stand for.
	shared map[*yaml.Node]bool
	// line, column and at of the offset that was found last: the next is often behind
	// it on the same line, which may be long.
	line, column, at int
}

// lineStarts knows all line breaks of YAML 1.1.
func lineStarts(text []byte) []int {
	starts := []int{0}
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		i += size
		if r == '\r' && i < len(text) && text[i] == '\n' {
			i++
		}
		switch r {
		case '\n', '\r', '\u0085', '\u2028', '\u2029':
			starts = append(starts, i)
		}
	}
	return starts
}

func (b *yamlBuilder) findShared(n *yaml.Node) {
	if n.Kind == yaml.AliasNode {
		b.shared[n.Alias] = true
	}
	for _, child := range n.Content {
		b.findShared(child)
	}
}

// offset returns the place of a node: the parser counts columns in characters.
func (b *yamlBuilder) offset(n *yaml.Node) (int, error) {
	if n.Line < 1 || n.Line > len(b.lines) {
		return 0, errUnlike
	}
	if n.Line != b.line || n.Column < b.column {
		b.line, b.column, b.at = n.Line, 1, b.lines[n.Line-1]
	}
	for ; b.column < n.Column; b.column++ {
		_, size := utf8.DecodeRune(b.text[b.at:])
		b.at += size
	}
	return b.at, nil
}

// build makes a node. indent is the column of the block collection around it.
func (b *yamlBuilder) build(y *yaml.Node, parent *node, indent int, flow bool) (*node, error) {
	at, err := b.offset(y)
	if err != nil {
		return nil, err
	}
	n := &node{parent: parent, flow: flow, start: at}
	if b.shared[y] {
		n.anchor = y.Anchor
	}
	if y.Anchor != "" && y.Kind != yaml.AliasNode || y.Style&yaml.TaggedStyle != 0 {
		n.start = behindProperties(b.text, at)
		if y.Kind == yaml.ScalarNode && y.Value == "" && y.Style&quoted == 0 {
			n.start = propertyEnd(b.text, at) // nothing stands behind the anchor
		}
	}
	switch y.Kind {
	case yaml.AliasNode:
		n.kind, n.text, n.end = alias, y.Value, aliasEnd(b.text, n.start)
	case yaml.ScalarNode:
		b.scalar(n, y, indent)
	case yaml.MappingNode, yaml.SequenceNode:
		err = b.collection(n, y, indent)
	default:
		err = errUnlike
	}
	return n, err
}

const quoted = yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle

func (b *yamlBuilder) scalar(n *node, y *yaml.Node, indent int) {
	n.text = y.Value
	switch {
	case y.Style&quoted != 0 && n.start < len(b.text):
		n.quote, n.end = b.text[n.start], quotedEnd(b.text, n.start)
	case y.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 && n.start < len(b.text):
		n.quote, n.end = b.text[n.start], blockEnd(b.text, n.start, indent)
	case y.Value == "": // nothing stands there, or an anchor alone
		n.end = n.start
	default:
		n.end = plainEnd(b.text, n.start, indent, n.flow)
	}
	if y.ShortTag() == "!!null" {
		n.kind = null
	}
}

func (b *yamlBuilder) collection(n *node, y *yaml.Node, indent int) error {
	n.kind = sequence
	if y.Kind == yaml.MappingNode {
		n.kind = mapping
	}
	n.flow = n.flow || y.Style&yaml.FlowStyle != 0
	if !n.flow {
		if indent = b.blockColumn(n, y); indent < 0 {
			return errUnlike
		}
		n.column = indent
	}
	for i, child := range y.Content {
		c, err := b.build(child, n, indent, n.flow)
		if err != nil {
			return err
		}
		if n.kind == mapping && i%2 == 0 {
			n.keys = append(n.keys, c)
			n.merges = n.merges || c.text == "<<"
		} else {
			n.items = append(n.items, c)
		}
	}
	b.close(n)
	return nil
}

// blockColumn returns the column of the first key or dash; -1 where there is none.
func (b *yamlBuilder) blockColumn(n *node, y *yaml.Node) int {
	switch {
	case len(y.Content) == 0 || n.start >= len(b.text):
		return -1
	case n.kind == mapping: // the anchor before a first key may be that of the key
		return y.Content[0].Column - 1
	case b.text[n.start] != '-':
		return -1
	}
	return columnOf(b.text, n.start)
}

// close finds the end of a collection from that of its last item.
func (b *yamlBuilder) close(n *node) {
	end := n.start + 1
	if len(n.items) > 0 {
		end = n.items[len(n.items)-1].end
		if len(n.keys) > 0 {
			end = max(end, n.keys[len(n.keys)-1].end)
		}
	}
	n.end = min(end, len(b.text))
	if n.flow && n.start < len(b.text) && bytes.IndexByte([]byte("{["), b.text[n.start]) >= 0 {
		n.end = flowEnd(b.text, n.end)
	}
}
