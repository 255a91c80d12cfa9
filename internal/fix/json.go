package fix

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"

	kyaml "sigs.k8s.io/yaml"
)

// asJSON converts a document to JSON, with the parser that kubectl reads YAML with.
func asJSON(text []byte) (raw []byte, isJSON bool, err error) {
	if head := bytes.TrimSpace(text); bytes.HasPrefix(head, []byte("{")) && json.Valid(text) {
		return text, true, nil
	}
	raw, err = kyaml.YAMLToJSON(text)
	return raw, false, err
}

func decoded(raw []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, fmt.Errorf("reading JSON: %w", err)
	}
	return v, nil
}

// normal is a value as it is after a journey through JSON.
func normal(v any) (any, error) {
	raw, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("encoding a value: %w", err)
	}
	return decoded(raw)
}

func equal(a, b []byte) (bool, error) {
	left, err := decoded(a)
	if err != nil {
		return false, err
	}
	right, err := decoded(b)
	return err == nil && reflect.DeepEqual(left, right), err
}

// jsonTree finds the places of all values of a JSON text.
func jsonTree(text []byte) (*node, error) {
	b := jsonBuilder{text: text, in: json.NewDecoder(bytes.NewReader(text))}
	b.in.UseNumber()
	root, err := b.value(nil)
	if err != nil {
		return nil, err
	}
	if _, err := b.in.Token(); err != io.EOF {
		return nil, fmt.Errorf("there is more than one value in the JSON document")
	}
	return root, nil
}

type jsonBuilder struct {
	text []byte
	in   *json.Decoder
}

// token returns the next token and where it begins and ends.
func (b jsonBuilder) token() (t json.Token, start, end int, err error) {
	start = int(b.in.InputOffset())
	for start < len(b.text) && bytes.IndexByte([]byte(" \t\r\n,:"), b.text[start]) >= 0 {
		start++
	}
	t, err = b.in.Token()
	return t, start, int(b.in.InputOffset()), err
}

func (b jsonBuilder) value(parent *node) (*node, error) {
	t, start, end, err := b.token()
	if err != nil {
		return nil, err
	}
	n := &node{kind: scalar, parent: parent, flow: true, start: start, end: end}
	switch v := t.(type) {
	case nil:
		n.kind = null
	case string:
		n.quote, n.text = '"', v
	case json.Delim:
		err = b.collection(n, v)
	}
	return n, err
}

func (b jsonBuilder) collection(n *node, opened json.Delim) error {
	n.kind = sequence
	if opened == '{' {
		n.kind = mapping
	}
	for b.in.More() {
		if n.kind == mapping {
			name, start, end, err := b.token()
			if err != nil {
				return err
			}
			text, _ := name.(string)
			n.keys = append(n.keys, &node{kind: scalar, parent: n, flow: true, start: start, end: end, quote: '"', text: text})
		}
		item, err := b.value(n)
		if err != nil {
			return err
		}
		n.items = append(n.items, item)
	}
	_, _, end, err := b.token()
	n.end = end
	return err
}
