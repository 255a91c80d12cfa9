package manifest

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// jsonNode is a value in JSON text. A field has the line of its key, whose value
// may stand below it; lines count from 0.
type jsonNode struct {
	line   int
	fields map[string]*jsonNode
	items  []*jsonNode
}

// unknown is the line of an item that was not read.
const unknown = -1

// find follows the steps as far as they lead, and returns the line where they end.
func (n *jsonNode) find(steps []string) int {
	for _, step := range steps {
		next := n.fields[step]
		if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(n.items) {
			next = n.items[i]
		}
		if next == nil {
			break
		}
		n = next
	}
	return n.line
}

// readJSON reads what can be read: text that breaks off has the fields before that.
func readJSON(raw []byte) *jsonNode {
	r := jsonReader{raw: raw, decoder: json.NewDecoder(bytes.NewReader(raw))}
	root := &jsonNode{}
	if token, err := r.decoder.Token(); err == nil {
		r.fill(root, token)
	}
	return root
}

type jsonReader struct {
	raw     []byte
	decoder *json.Decoder
	// counted is how far into the text line breaks were counted.
	counted, line int
}

// here is the line up to which the text was read.
func (r *jsonReader) here() int {
	now := int(r.decoder.InputOffset())
	r.line += bytes.Count(r.raw[r.counted:now], []byte("\n"))
	r.counted = now
	return r.line
}

// fill reads the value that begins with a token, and reports whether it is whole.
func (r *jsonReader) fill(n *jsonNode, token json.Token) bool {
	switch token {
	case json.Delim('{'):
		n.fields = map[string]*jsonNode{}
		return r.all(func() (*jsonNode, bool) {
			key, _ := r.decoder.Token()
			name, ok := key.(string)
			field := &jsonNode{line: r.here()}
			if _, again := n.fields[name]; ok && !again {
				n.fields[name] = field
			}
			return field, ok
		})
	case json.Delim('['):
		return r.all(func() (*jsonNode, bool) {
			n.items = append(n.items, &jsonNode{line: unknown})
			return n.items[len(n.items)-1], true
		})
	}
	return true
}

// all reads the values within an object or a list, and its end. An item has the line on which it begins.
func (r *jsonReader) all(next func() (*jsonNode, bool)) bool {
	for r.decoder.More() {
		n, ok := next()
		if !ok {
			return false
		}
		token, err := r.decoder.Token()
		if n.line == unknown {
			n.line = r.here()
		}
		if err != nil || !r.fill(n, token) {
			return false
		}
	}
	_, err := r.decoder.Token()
	return err == nil
}
