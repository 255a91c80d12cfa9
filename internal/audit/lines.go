package audit

import (
	"bytes"

	"github.com/forestall/forestall/internal/patch"
)

// lines finds the line of a field in the file. A field that is not there has the
// line of what is there around it.
type lines interface {
	// line returns the line of the field at path of the object raw.
	line(raw []byte, at position, path string) int
	// item returns the line of an item of a List, which begins at offset in its JSON.
	item(list *object, offset int) int
	// forget gives back memory that lookups have filled.
	forget()
}

// jsonLines finds fields in objects that were JSON in the file: they still have
// its line breaks. An object is read, with positions, when a line of it is asked for
// the first time; the fields of one object are asked for one after another.
type jsonLines struct {
	raw  []byte
	root *jsonNode
}

func (j *jsonLines) line(raw []byte, at position, path string) int {
	steps, err := patch.Steps(path)
	if err != nil {
		return at.line
	}
	if j.root == nil || len(raw) != len(j.raw) || len(raw) > 0 && &raw[0] != &j.raw[0] {
		j.raw, j.root = raw, readJSON(raw)
	}
	return at.line + j.root.find(steps)
}

func (*jsonLines) item(list *object, offset int) int {
	return list.at.line + bytes.Count(list.raw[:offset], []byte("\n"))
}

func (j *jsonLines) forget() { j.raw, j.root = nil, nil }
