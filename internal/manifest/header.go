package manifest

import (
	"bytes"
	"encoding/json"

	"github.com/go-json-experiment/json/jsontext"
)

// headerOf reads the header of a value that is known to be JSON.
func headerOf(raw []byte) header {
	var h header
	var generated string
	for name, value := range fieldsOf(raw) {
		switch name {
		case "apiVersion":
			h.APIVersion = textOf(value)
		case "kind":
			h.Kind = textOf(value)
		case "items":
			h.hasItems = value[0] == '[' || value[0] == 'n'
		case "metadata":
			h.Namespace, h.Name, generated = namesIn(value)
		}
	}
	if h.Name == "" && generated != "" {
		h.Name = generated + "*"
	}
	return h
}

func namesIn(metadata []byte) (namespace, name, generated string) {
	for field, value := range fieldsOf(metadata) {
		switch field {
		case "namespace":
			namespace = textOf(value)
		case "name":
			name = textOf(value)
		case "generateName":
			generated = textOf(value)
		}
	}
	return namespace, name, generated
}

// fieldsOf yields the fields of an object, and nothing for other values. A value may be used
// until the next one is asked for.
func fieldsOf(raw []byte) func(yield func(string, []byte) bool) {
	return func(yield func(string, []byte) bool) {
		d := jsontext.NewDecoder(bytes.NewBuffer(raw), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
		if begin, err := d.ReadToken(); err != nil || begin.Kind() != '{' {
			return
		}
		for d.PeekKind() == '"' {
			key, err := d.ReadToken()
			if err != nil {
				return
			}
			name := key.String()
			value, err := d.ReadValue()
			if err != nil || !yield(name, value) {
				return
			}
		}
	}
}

// textOf is the text of a value; empty where that is something else.
func textOf(raw []byte) string {
	if len(raw) == 0 || raw[0] != '"' {
		return ""
	}
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return ""
	}
	return s
}
