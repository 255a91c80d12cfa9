package workload

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// TemplateIn returns the path at which an object of an unknown kind seems to have a pod template: where there is a spec
// with containers that have images. It is empty where there is none.
func TemplateIn(raw []byte) string {
	if !bytes.Contains(raw, []byte(`"containers"`)) {
		return ""
	}
	s := templateFinder{jsontext.NewDecoder(bytes.NewBuffer(raw), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))}
	path, _ := s.find("", 0)
	return path
}

// maxTemplateDepth bounds how deep a pod template is looked for.
const maxTemplateDepth = 16

type templateFinder struct{ d *jsontext.Decoder }

// find reads a value, and returns the path of the first pod template within it. It stops there, and at what cannot be read.
func (s templateFinder) find(path string, depth int) (template string, done bool) {
	if s.d.PeekKind() != jsontext.KindBeginObject || depth > maxTemplateDepth { // in lists are other things than the pod template
		return "", s.d.SkipValue() != nil
	}
	if _, err := s.d.ReadToken(); err != nil {
		return "", true
	}
	for s.d.PeekKind() == jsontext.KindString {
		name, err := s.d.ReadToken()
		if err != nil {
			return "", true
		}
		field := name.String()
		if template, ok := strings.CutSuffix(path, ".spec"); ok && field == "containers" {
			value, err := s.d.ReadValue()
			switch {
			case err != nil:
				return "", true
			case haveImages(value):
				return template, true
			}
			continue
		}
		if template, done := s.find(joined(path, field), depth+1); done {
			return template, true
		}
	}
	_, err := s.d.ReadToken()
	return "", err != nil
}

func joined(path, field string) string {
	if path == "" {
		return field
	}
	return path + "." + field
}

// haveImages reports whether a value is a list that begins with a container.
func haveImages(value jsontext.Value) bool {
	d := jsontext.NewDecoder(bytes.NewBuffer(value), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if begin, err := d.ReadToken(); err != nil || begin.Kind() != jsontext.KindBeginArray {
		return false
	}
	first, err := d.ReadValue()
	return err == nil && fieldOf(first, "image").Kind() == jsontext.KindString
}
