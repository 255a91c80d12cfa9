package config

import "fmt"

// FailureMode says what forestall answers about an object that it cannot review. It is for
// failures inside the process; for the time in which the process does not answer at all, the
// API server has the failurePolicy of the webhook configuration.
type FailureMode string

const (
	// Ignore admits the object with a warning that names forestall. It is the default.
	Ignore FailureMode = "ignore"
	// Fail refuses the object.
	Fail FailureMode = "fail"
)

// ParseFailureMode reads a failure mode as people write it.
func ParseFailureMode(s string) (FailureMode, error) {
	switch m := FailureMode(s); m {
	case Ignore, Fail:
		return m, nil
	}
	return Ignore, fmt.Errorf("unknown failure mode %q: it is ignore or fail", s)
}
