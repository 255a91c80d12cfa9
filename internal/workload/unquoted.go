package workload

import (
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
type typeError struct{ want, found string }

// Error names the types. Of a number that does not fit, a decoder tells the number as well.
func (e *typeError) Error() string {
	found, _, _ := strings.Cut(e.found, " ")
	return "want " + e.want + ", found " + found
}

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
		return fmt.Sprintf("%.*s: %s", maxField, withoutKeys(field.Field), field.unquoted())
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
		return wrong.Error()
	case errors.As(e.Err, &bad):
		return "it is " + notAQuantity
	case errors.Is(e.Err, quantity.ErrHuge):
		return quantity.ErrHuge.Error()
	}
	return "it cannot be decoded"
}
