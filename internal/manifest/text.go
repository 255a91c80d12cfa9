package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"unicode/utf8"
)

// Text is one document as it stands in a file, before anything is made of it.
type Text struct {
	// line is the number of its first line in the file.
	line int
	// content is the number of the first line that is not blank, a comment, a
	// directive or a marker; 0 when there is none.
	content int
	// offset of raw in the file.
	offset int
	raw    []byte
	// limit is how large it may be. When it is larger, tooLarge is set and raw is dropped.
	limit    int
	tooLarge bool
}

// Size is how many bytes of text there are.
func (t *Text) Size() int { return len(t.raw) }

// Line is the number of the first line with content in the file.
func (t *Text) Line() int { return t.content }

// Documents reads the text as one document, or as one for each JSON value in it. What cannot be
// read is a fault of a document.
func (t *Text) Documents() []Document {
	line, err := t.unreadable()
	if err != nil {
		return []Document{{Line: line, lines: &jsonLines{}, Faults: []Fault{{Line: line, Err: err}}}}
	}
	if values, ok := t.json(); ok {
		return values.values()
	}
	return []Document{t.yaml()}
}

// unreadable says why the text is not even looked at, and where.
func (t *Text) unreadable() (line int, err error) {
	switch {
	case t.tooLarge:
		return t.content, fmt.Errorf("the document is larger than %s: split it (a List with: jq -c '.items[]')", mebibytes(t.limit))
	case !utf8.Valid(t.raw):
		return t.line + lineOfInvalid(t.raw), errEncoding(t.raw)
	}
	return 0, nil
}

// json returns the text from its first brace, if it looks like JSON there: a
// brace and a quote. A template and YAML in flow style do not.
func (t *Text) json() (Text, bool) {
	raw := firstContent(t.raw)
	rest, ok := bytes.CutPrefix(raw, []byte("{"))
	rest = bytes.TrimLeft(rest, " \t\r\n")
	if !ok || len(rest) == 0 || rest[0] != '"' && rest[0] != '}' {
		return Text{}, false
	}
	before := t.raw[:len(t.raw)-len(raw)]
	return Text{
		line: t.line + breaks(before), content: t.content,
		offset: t.offset + len(before), raw: raw, limit: t.limit,
	}, true
}

func errEncoding(raw []byte) error {
	if bytes.HasPrefix(raw, []byte("\xff\xfe")) || bytes.HasPrefix(raw, []byte("\xfe\xff")) {
		return errors.New("the file is in UTF-16: save it as UTF-8")
	}
	return errors.New("the text is not valid UTF-8")
}

// lineOfInvalid returns how many lines stand before the first invalid byte.
func lineOfInvalid(raw []byte) int {
	valid := 0
	for valid < len(raw) {
		r, size := utf8.DecodeRune(raw[valid:])
		if r == utf8.RuneError && size <= 1 {
			break
		}
		valid += size
	}
	return breaks(raw[:valid])
}
