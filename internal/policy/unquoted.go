package policy

import (
	"errors"
	"fmt"
	"runtime"

	"github.com/open-policy-agent/opa/v1/topdown"
)

// panicError is a panic of a rule.
type panicError struct{ value any }

// Error gives the value.
func (e *panicError) Error() string { return fmt.Sprintf("panic: %v", e.value) }

// Unquoted says what went wrong without a word of the object, which a rule's error may quote: for a
// log. It names the place in the rule.
func (e RuleError) Unquoted() string {
	var failed *topdown.Error
	var panicked *panicError
	var bug runtime.Error
	switch {
	case errors.As(e.Err, &failed) && failed.Location != nil:
		return fmt.Sprintf("%s at %s:%d", failed.Code, failed.Location.File, failed.Location.Row)
	case errors.As(e.Err, &failed):
		return failed.Code
	case errors.As(e.Err, &panicked):
		if err, ok := panicked.value.(error); ok && errors.As(err, &bug) {
			return "panic: " + bug.Error()
		}
		return fmt.Sprintf("panic: a %T", panicked.value)
	}
	return fmt.Sprintf("its report cannot be read (%T)", e.Err)
}
