package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	kjson "sigs.k8s.io/json"
)

// values reads the JSON values of a text, one after another. What begins like JSON
// may be YAML in flow style, which is tried where JSON fails.
func (t *Text) values() []Document {
	var docs []Document
	for _, chunk := range chunks(t) {
		docs = append(docs, chunk.inChunk()...)
	}
	return docs
}

// chunks cuts a text where a line that ends in a closing brace is followed by one
// that begins with an opening brace. In JSON the two meet only between values, so
// no value is cut, and a broken one does not hide those after it.
func chunks(t *Text) []Text {
	var all []Text
	start, line, startLine := 0, t.line, t.line
	closed := false
	for offset := 0; offset < len(t.raw); line++ {
		current := t.raw[offset:]
		if end := bytes.IndexByte(current, '\n'); end >= 0 {
			current = current[:end+1]
		}
		if body := bytes.TrimSpace(current); len(body) > 0 {
			if closed && body[0] == '{' {
				all = append(all, Text{line: startLine, offset: t.offset + start, raw: t.raw[start:offset], limit: t.limit})
				start, startLine = offset, line
			}
			closed = body[len(body)-1] == '}'
		}
		offset += len(current)
	}
	all = append(all, Text{line: startLine, offset: t.offset + start, raw: t.raw[start:], limit: t.limit})
	for i := range all {
		all[i].content = all[i].line + leadingLines(all[i].raw)
	}
	return all
}

func (t *Text) inChunk() []Document {
	var docs []Document
	d := json.NewDecoder(bytes.NewReader(t.raw))
	for {
		var raw json.RawMessage
		err := d.Decode(&raw)
		if errors.Is(err, io.EOF) {
			return docs
		}
		if err != nil {
			return append(docs, t.notJSON(len(docs) == 0, err))
		}
		start := int(d.InputOffset()) - len(raw)
		docs = append(docs, value(raw, t.line+breaks(t.raw[:start]), t.offset+start))
	}
}

func value(raw []byte, line, offset int) Document {
	d := Document{Line: line, Raw: raw, Offset: offset, lines: &jsonLines{}}
	var value any
	strict, err := kjson.UnmarshalStrict(raw, &value, kjson.DisallowDuplicateFields)
	if err != nil {
		d.Fail(line, fmt.Errorf("reading JSON: %w", err))
		return d
	}
	var repeated []Repeated
	if len(strict) > 0 {
		raw, repeated = lastOfEach(raw, line)
	}
	d.collect(Object{JSON: raw, line: line})
	d.give(repeated)
	return d
}

// notJSON tries the text as YAML if nothing of it was JSON. Otherwise the fault
// that JSON found is told: it is what the text looks like.
func (t *Text) notJSON(first bool, cause error) Document {
	if first {
		if d := t.yaml(); len(d.Faults) == 0 {
			return d
		}
	}
	offset := len(t.raw)
	if ok, at := kjson.SyntaxErrorOffset(cause); ok {
		offset = min(int(at), len(t.raw))
	}
	line := t.line + breaks(bytes.TrimRight(t.raw[:offset], " \t\r\n"))
	d := Document{Line: line, lines: &jsonLines{}}
	d.Fail(line, withHint(fmt.Errorf("reading JSON: %w", cause), t.raw))
	return d
}

// leadingLines counts the blank lines that a text begins with.
func leadingLines(raw []byte) int {
	blank := len(raw) - len(bytes.TrimLeft(raw, " \t\r\n"))
	return breaks(raw[:blank])
}
