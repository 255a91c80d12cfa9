// Package fix puts JSON Patch operations into the text of a YAML or JSON document.
// It edits the text itself: what no operation touches stays as it is, byte for byte,
// with its comments, quotes, indentation and line endings.
package fix

import (
	"errors"
	"fmt"

	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/patch"
)

// Change is what is to be done to one object of a document.
type Change struct {
	// At is the path of the object in the document, such as items[3]; empty where
	// the document is the object.
	At string
	// Patch is for the object. Operations are add and replace.
	Patch []finding.Operation
}

// Document is one document whose text can be changed. It is immutable.
type Document struct {
	text []byte
	root *node
	// json is the document as JSON, value the same decoded.
	json  []byte
	value any
	style style
}

// Parse reads one document: YAML as kubectl reads it, or JSON.
func Parse(text []byte) (*Document, error) {
	raw, isJSON, err := asJSON(text)
	if err != nil {
		return nil, err
	}
	d := &Document{text: text, json: raw}
	if d.value, err = decoded(raw); err != nil {
		return nil, err
	}
	if isJSON {
		d.root, err = jsonTree(text)
	} else {
		d.root, err = yamlTree(text)
	}
	if err != nil {
		return nil, err
	}
	d.style = styleOf(d, isJSON)
	return d, nil
}

// Check reports why a change cannot be put into the text; nil when it can.
func (d *Document) Check(c Change) error {
	_, err := d.edits([]Change{c})
	return err
}

// Apply returns the text with the changes. It fails unless the new text says
// exactly what the patches make of the old.
func (d *Document) Apply(changes []Change) ([]byte, error) {
	edits, err := d.edits(changes)
	if err != nil {
		return nil, err
	}
	text, err := applied(d.text, edits)
	if err != nil {
		return nil, err
	}
	if err := d.verify(text, changes); err != nil {
		return nil, err
	}
	return text, nil
}

func (d *Document) edits(changes []Change) ([]edit, error) {
	p := plan{doc: d, added: map[*node][]entry{}, replaced: map[*node]replacement{}, removed: map[*node]bool{}}
	for _, c := range changes {
		if err := p.take(c); err != nil {
			return nil, err
		}
	}
	return p.edits()
}

// errUnlike ends what would otherwise say something else than it should.
var errUnlike = errors.New("the text is written in a way that forestall cannot change safely: change it by hand")

// verify holds the new text against what the patches make of the object.
func (d *Document) verify(text []byte, changes []Change) error {
	var all []finding.Operation
	for _, c := range changes {
		for _, op := range c.Patch {
			steps, err := c.steps(op)
			if err != nil {
				return err
			}
			op.Path = pointer(steps)
			all = append(all, op)
		}
	}
	wanted, err := patch.Apply(d.json, all)
	if err != nil {
		return err
	}
	raw, _, err := asJSON(text)
	if err != nil {
		return fmt.Errorf("%w (%w)", errUnlike, err)
	}
	if same, err := equal(wanted, raw); err != nil || !same {
		return errors.Join(errUnlike, err)
	}
	return nil
}
