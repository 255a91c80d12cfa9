// Package apijson decodes JSON into the types of the Kubernetes API as the API server
// does: names are case-sensitive, unknown fields are passed over, of a name that
// stands twice the last one counts.
package apijson

import (
	"reflect"

	fast "github.com/go-json-experiment/json"
	exact "sigs.k8s.io/json"
)

// Unmarshal decodes raw into the struct that into points to, which is zero. A struct that holds
// quantities is for UnmarshalQuantities.
//
// What is read is what the API server's own decoder reads; so are the errors. That decoder
// takes half of the time of a review, so the one of the coming encoding/json/v2 goes first. It
// reads the same of what both accept, and is the stricter one: names that stand twice and
// bytes that are no UTF-8 are errors to it. Where it fails, the slow one decides.
func Unmarshal(raw []byte, into any) error {
	if fast.Unmarshal(raw, into) == nil {
		return nil
	}
	return exactly(raw, into)
}

// exactly decodes with the API server's own decoder, whatever the fast one left.
func exactly(raw []byte, into any) error {
	reflect.ValueOf(into).Elem().SetZero()
	return exact.UnmarshalCaseSensitivePreserveInts(raw, into)
}

// IsSyntax reports whether an error says that a text is no JSON. Such an error quotes one character of
// the text at most; others may quote values.
func IsSyntax(err error) bool {
	is, _ := exact.SyntaxErrorOffset(err)
	return is
}
