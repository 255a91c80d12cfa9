package workload

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/forestall/forestall/internal/apijson"
	"github.com/forestall/forestall/internal/quantity"
)

// FieldError says which field of an object cannot be read, and why.
type FieldError struct {
	// Field is the path of the field.
	Field string
	Err   error
	// named is the field without names that somebody has made up, such as that of a label.
	named string
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

// DecodeError says which fields of an object cannot be read. The API server tells of the first one alone.
type DecodeError struct {
	Kind, Name string
	Fields     []*FieldError
}

// maxTold is how many fields the text of an error names.
const maxTold = 10

// Error gives the fields, and what is wrong with each.
func (e *DecodeError) Error() string {
	told := make([]string, 0, maxTold)
	for _, f := range e.Fields[:min(len(e.Fields), maxTold)] {
		told = append(told, f.Error())
	}
	text := fmt.Sprintf("decoding %s %.*q: %s", e.Kind, maxField, e.Name, strings.Join(told, "; "))
	if more := len(e.Fields) - maxTold; more > 0 {
		text += fmt.Sprintf("; and %d more", more)
	}
	return text
}

// Unwrap returns what is wrong with the fields.
func (e *DecodeError) Unwrap() []error {
	all := make([]error, len(e.Fields))
	for i, f := range e.Fields {
		all[i] = f
	}
	return all
}

// Apart returns an error for each field that cannot be read; any other error as it is.
func Apart(err error) []error {
	var several *DecodeError
	if !errors.As(err, &several) {
		return []error{err}
	}
	all := make([]error, len(several.Fields))
	for i, f := range several.Fields {
		all[i] = &DecodeError{Kind: several.Kind, Name: several.Name, Fields: []*FieldError{f}}
	}
	return all
}

// locate says which fields an error of the decoder is about, where it can be told. The decoder that
// reads as the API server does stops at the first and keeps its place to itself, so the object is read a
// second time, field by field. This is only done for objects that the API server refuses too.
func locate(cause error, raw []byte, k Kind) error {
	t, ok := k.Type()
	if !ok {
		t = reflect.TypeOf(into(manifestFor(k))).Elem()
	}
	if wrong := WrongFields(apijson.Check(raw, t)); len(wrong) > 0 {
		return &DecodeError{Kind: k.Kind, Name: nameIn(raw), Fields: wrong}
	}
	return fmt.Errorf("decoding %s %.*q: %w", k.Kind, maxField, nameIn(raw), cause)
}

// WrongFields returns those problems that are values of a wrong type, as errors.
func WrongFields(problems []apijson.Problem) []*FieldError {
	var all []*FieldError
	for i := range problems {
		if p := &problems[i]; !p.Unknown {
			all = append(all, &FieldError{Field: p.Path, Err: wrongType(p), named: p.Named})
		}
	}
	return all
}

func wrongType(p *apijson.Problem) error {
	if errors.Is(p.Err, quantity.ErrHuge) {
		return fmt.Errorf("%w: %.*s", quantity.ErrHuge, maxQuoted, p.Found)
	}
	text := textOf(p.Found)
	if p.Want == reflect.TypeFor[resource.Quantity]() && apijson.Scalar(p.Found) {
		return &quantityError{p.Path, text, p.Err}
	}
	e := &typeError{want: apijson.Type(p.Want), found: apijson.Kind(p.Found)}
	if !apijson.Scalar(p.Found) || strings.Contains(p.Path, ".env[") {
		return e
	}
	e.value = fmt.Sprintf("%.*s", maxQuoted, p.Found)
	if p.Found[0] == '"' {
		e.value = fmt.Sprintf("%.*q", maxQuoted, text)
	}
	switch _, err := strconv.ParseInt(text, 10, 32); {
	case e.want == "an integer" && p.Found[0] == '"' && err == nil:
		e.instead = text + " without quotes"
	case e.want == "a string" && len(text) < maxQuoted:
		e.instead = strconv.Quote(text)
	}
	return e
}

// textOf reads a string, which may have been cut off; any other value as it stands there.
func textOf(raw []byte) string {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return strings.Trim(string(raw), `"`)
	}
	return text
}
