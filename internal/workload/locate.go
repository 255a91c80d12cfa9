package workload

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/forestall/forestall/internal/quantity"
)

// FieldError says which field of an object cannot be read, and why.
type FieldError struct {
	// Field is the path of the field; a decoder that knows no positions gives the
	// names alone (spec.containers.ports).
	Field string
	Err   error
}

// Error gives the field and what is wrong with it.
func (e *FieldError) Error() string { return e.Field + ": " + e.Err.Error() }

// Unwrap returns what is wrong.
func (e *FieldError) Unwrap() error { return e.Err }

// nameIn reads what an object that cannot be decoded is called, as far as it can
// be read.
func nameIn(raw []byte) string {
	var object struct {
		Metadata struct{ Name, GenerateName string }
	}
	_ = json.Unmarshal(raw, &object)
	return displayName(metav1.ObjectMeta{Name: object.Metadata.Name, GenerateName: object.Metadata.GenerateName})
}

// locate says which field an error of the decoder is about, where it can be
// told. The decoder that reads as the API server does keeps the place of a wrong
// type to itself and that of a wrong quantity is lost, so the object is read a
// second time, by a decoder that tells. This is only done for objects that the
// API server refuses too.
func locate(cause error, raw []byte, k Kind) error {
	if err := badQuantity(raw, k.SpecPath); err != nil {
		return err
	}
	// This decoder takes Overhead for overhead, where nothing has been bounded.
	if quantity.Huge(raw) {
		return cause
	}
	var wrong *json.UnmarshalTypeError
	if err := json.Unmarshal(raw, into(manifestFor(k))); errors.As(err, &wrong) && wrong.Field != "" {
		return &FieldError{jsonPath(wrong.Field), &typeError{jsonName(wrong.Type), wrong.Value}}
	}
	return cause
}

// badQuantity finds the first quantity that cannot be read.
func badQuantity(raw []byte, specPath string) error {
	return eachQuantity(raw, specPath, func(path, text string) error {
		if _, err := resource.ParseQuantity(text); err != nil {
			return &FieldError{path, &quantityError{path, text, err}}
		}
		return nil
	})
}

// jsonPath leaves the Go types that are embedded in others out of a path: in the
// API, JSON names begin with a lower-case letter and Go names do not.
func jsonPath(path string) string {
	steps := strings.Split(path, ".")
	return strings.Join(slices.DeleteFunc(steps, func(step string) bool {
		return step == "header" || step != "" && 'A' <= step[0] && step[0] <= 'Z'
	}), ".")
}

// jsonName names a Go type as somebody who writes manifests would.
func jsonName(t reflect.Type) string {
	names := map[reflect.Kind]string{
		reflect.Bool:   "true or false",
		reflect.String: "a string",
		reflect.Int32:  "an integer",
		reflect.Int64:  "an integer",
		reflect.Slice:  "a list",
		reflect.Map:    "an object",
		reflect.Struct: "an object",
	}
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if name, ok := names[t.Kind()]; ok {
		return name
	}
	return t.String()
}
