package audit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	kjson "sigs.k8s.io/json"
)

// json reads the JSON values of a text, one after another. What begins like JSON
// may be YAML in flow style, which is tried where JSON fails.
func (r reader) json(t text) []document {
	var docs []document
	for _, chunk := range chunks(t) {
		docs = append(docs, r.values(chunk)...)
	}
	return docs
}

// chunks cuts a text where a line that ends in a closing brace is followed by one
// that begins with an opening brace. In JSON the two meet only between values, so
// no value is cut, and a broken one does not hide those after it.
func chunks(t text) []text {
	var all []text
	start, line, startLine := 0, t.line, t.line
	closed := false
	for offset := 0; offset < len(t.raw); line++ {
		current := t.raw[offset:]
		if end := bytes.IndexByte(current, '\n'); end >= 0 {
			current = current[:end+1]
		}
		if body := bytes.TrimSpace(current); len(body) > 0 {
			if closed && body[0] == '{' {
				all = append(all, text{line: startLine, offset: t.offset + start, raw: t.raw[start:offset]})
				start, startLine = offset, line
			}
			closed = body[len(body)-1] == '}'
		}
		offset += len(current)
	}
	all = append(all, text{line: startLine, offset: t.offset + start, raw: t.raw[start:]})
	for i := range all {
		all[i].content = all[i].line + leadingLines(all[i].raw)
	}
	return all
}

func (r reader) values(t text) []document {
	var docs []document
	d := json.NewDecoder(bytes.NewReader(t.raw))
	for {
		var raw json.RawMessage
		err := d.Decode(&raw)
		if errors.Is(err, io.EOF) {
			return docs
		}
		if err != nil {
			return append(docs, r.notJSON(t, len(docs) == 0, err))
		}
		start := int(d.InputOffset()) - len(raw)
		doc := r.value(raw, t.line+bytes.Count(t.raw[:start], []byte("\n")))
		doc.offset, doc.raw = t.offset+start, raw
		docs = append(docs, doc)
	}
}

func (r reader) value(raw []byte, line int) document {
	d := r.document(line)
	var value any
	strict, err := kjson.UnmarshalStrict(raw, &value, kjson.DisallowDuplicateFields)
	if err != nil {
		d.fail(line, fmt.Errorf("reading JSON: %w", err))
		return d
	}
	for _, err := range strict {
		at := line
		var field kjson.FieldError
		if errors.As(err, &field) {
			at = d.lines.line(raw, position{line: line}, field.FieldPath())
		}
		d.fail(at, err)
	}
	if len(d.errors) == 0 {
		d.collect(raw, position{line: line})
	}
	return d
}

// notJSON tries the text as YAML if nothing of it was JSON. Otherwise the fault
// that JSON found is told: it is what the text looks like.
func (r reader) notJSON(t text, first bool, cause error) document {
	if first {
		if d := r.yaml(t); len(d.errors) == 0 {
			return d
		}
	}
	offset := len(t.raw)
	if ok, at := kjson.SyntaxErrorOffset(cause); ok {
		offset = min(int(at), len(t.raw))
	}
	line := t.line + bytes.Count(bytes.TrimRight(t.raw[:offset], " \t\r\n"), []byte("\n"))
	d := r.document(line)
	d.fail(line, withHint(fmt.Errorf("reading JSON: %w", cause), t.raw))
	return d
}

// leadingLines counts the blank lines that a text begins with.
func leadingLines(raw []byte) int {
	blank := len(raw) - len(bytes.TrimLeft(raw, " \t\r\n"))
	return bytes.Count(raw[:blank], []byte("\n"))
}
