package workload

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/forestall/forestall/internal/apijson"
	"github.com/forestall/forestall/internal/quantity"
)

// maxQuoted is how many bytes of a value an error quotes, and maxField how many of a path Unquoted
// returns: both are what somebody has written, and may be as large as the object.
const (
	maxQuoted = 40
	maxField  = 256
)

// quantityError is what is wrong with a quantity. It quotes it for the person who wrote it.
type quantityError struct {
	path, text string
	err        error
}

// Error quotes the quantity, unless it is part of a variable.
func (e *quantityError) Error() string {
	if strings.Contains(e.path, ".env[") {
		return "it is " + notAQuantity
	}
	return fmt.Sprintf("%.*q is %s: %v", maxQuoted, e.text, notAQuantity, e.err)
}

// Unwrap returns what the parser says.
func (e *quantityError) Unwrap() error { return e.err }

const notAQuantity = "not a quantity"

// typeError is a value of another type than the field has.
type typeError struct {
	// want and found are the types.
	want, found string
	// value as it stands there, where it is a short one that may be shown, and what to write instead.
	value, instead string
}

// Error names the type, and quotes the value for the person who wrote it.
func (e *typeError) Error() string {
	if e.value == "" {
		return e.unquoted()
	}
	text := "want " + e.want + ", found " + e.value
	if e.instead != "" {
		text += ": write " + e.instead
	}
	return text
}

func (e *typeError) unquoted() string { return "want " + e.want + ", found " + e.found }

// Unquoted says why an object cannot be read, without a word of what stands in it: for a log. Anything
// may stand in the wrong field, a password as well.
func Unquoted(err error) string {
	for _, known := range []error{errNoKind, errNoObject, ErrTooLarge, context.DeadlineExceeded, context.Canceled} {
		if errors.Is(err, known) {
			return known.Error()
		}
	}
	var field *FieldError
	if errors.As(err, &field) {
		return fmt.Sprintf("%.*s: %s", maxField, withoutKeys(cmp.Or(field.named, field.Field)), field.unquoted())
	}
	last := err
	for next := errors.Unwrap(err); next != nil; next = errors.Unwrap(next) {
		last = next
	}
	if apijson.IsSyntax(last) {
		return last.Error()
	}
	return fmt.Sprintf("it cannot be decoded (%T)", last)
}

// withoutKeys leaves out of a path what is no name of the API: the resources in a list of quantities may
// have any name.
func withoutKeys(path string) string {
	for _, list := range []string{".limits.", ".requests.", ".overhead."} {
		before, resource, found := strings.Cut(path, list)
		if found && !slices.Contains([]string{"memory", "cpu", "ephemeral-storage", "storage"}, resource) {
			return before + strings.TrimSuffix(list, ".")
		}
	}
	return path
}

func (e *FieldError) unquoted() string {
	var wrong *typeError
	var bad *quantityError
	switch {
	case errors.As(e.Err, &wrong):
		return wrong.unquoted()
	case errors.As(e.Err, &bad):
		return "it is " + notAQuantity
	case errors.Is(e.Err, quantity.ErrHuge):
		return quantity.ErrHuge.Error()
	}
	return "it cannot be decoded"
}
