package manifest

import "github.com/forestall/forestall/internal/patch"

// lines finds the line of a field in the file. A field that is not there has the
// line of what is there around it.
type lines interface {
	// line returns the line of the field at a path of the object.
	line(o *Object, path string) int
	// item returns the line of an item of a List, which begins at offset in its JSON.
	item(list *Object, offset int) int
}

// jsonLines finds fields in objects that were JSON in the file: they still have
// its line breaks. An object is read, with positions, when a line of it is asked for
// the first time; the fields of one object are asked for one after another.
type jsonLines struct {
	raw  []byte
	root *jsonNode
}

func (j *jsonLines) line(o *Object, path string) int {
	raw := o.JSON
	steps, err := patch.Steps(path)
	if err != nil {
		return o.line
	}
	if j.root == nil || len(raw) != len(j.raw) || len(raw) > 0 && &raw[0] != &j.raw[0] {
		j.raw, j.root = raw, readJSON(raw)
	}
	return o.line + j.root.find(steps)
}

func (*jsonLines) item(list *Object, offset int) int {
	return list.line + breaks(list.JSON[:offset])
}
