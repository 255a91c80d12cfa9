package webhook

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

const (
	// maxPeek is how much of a review is read for its namespace. The API server writes the few
	// short fields before it first (AdmissionRequest in k8s.io/api/admission/v1).
	maxPeek = 16 << 10
	// maxNamespace is how long the name of a namespace may be (a DNS label, RFC 1123).
	maxNamespace = 63
)

// peekNamespace returns the namespace of a review that is not decoded yet; empty where it does
// not stand where the API server writes it, before the object. So whoever hides it has one
// share together with all who do.
func peekNamespace(body []byte) string {
	d := jsontext.NewDecoder(bytes.NewBuffer(body[:min(len(body), maxPeek)]))
	if !enter(d) || !find(d, "request") || !enter(d) || !find(d, "namespace") {
		return ""
	}
	value, err := d.ReadToken()
	if err != nil || value.Kind() != jsontext.KindString {
		return ""
	}
	namespace := value.String()
	if len(namespace) > maxNamespace {
		return ""
	}
	return namespace
}

// enter reads the beginning of an object.
func enter(d *jsontext.Decoder) bool {
	first, err := d.ReadToken()
	return err == nil && first.Kind() == jsontext.KindBeginObject
}

// find reads up to the value of a field.
func find(d *jsontext.Decoder, field string) bool {
	for {
		name, err := d.ReadToken()
		if err != nil || name.Kind() != jsontext.KindString {
			return false
		}
		if name.String() == field {
			return true
		}
		if d.SkipValue() != nil {
			return false
		}
	}
}
