package audit

import (
	"bytes"
	"encoding/json"
	"strconv"

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
// its line breaks.
type jsonLines struct{}

func (jsonLines) line(raw []byte, at position, path string) int {
	steps, err := patch.Steps(path)
	if err != nil {
		return at.line
	}
	return at.line + bytes.Count(raw[:offsetOf(raw, steps)], []byte("\n"))
}

func (jsonLines) item(list *object, offset int) int {
	return list.at.line + bytes.Count(list.raw[:offset], []byte("\n"))
}

func (jsonLines) forget() {}

// offsetOf returns an offset on the line of the deepest of the steps that is there.
func offsetOf(raw []byte, steps []string) int {
	d := json.NewDecoder(bytes.NewReader(raw))
	offset := 0
	token, err := d.Token()
	for _, step := range steps {
		switch {
		case err == nil && token == json.Delim('{') && seekKey(d, step):
			offset = int(d.InputOffset()) // the key counts, its value may stand below it
			token, err = d.Token()
		case err == nil && token == json.Delim('[') && seekIndex(d, step):
			token, err = d.Token()
			offset = int(d.InputOffset())
		default:
			return offset
		}
	}
	return offset
}

// seekKey moves behind the key.
func seekKey(d *json.Decoder, key string) bool {
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return false
		}
		if name == key {
			return true
		}
		if err := d.Decode(new(json.RawMessage)); err != nil {
			return false
		}
	}
	return false
}

// seekIndex moves before the item.
func seekIndex(d *json.Decoder, index string) bool {
	n, err := strconv.Atoi(index)
	if err != nil || n < 0 {
		return false
	}
	for range n {
		if !d.More() || d.Decode(new(json.RawMessage)) != nil {
			return false
		}
	}
	return d.More()
}
