// Package audit reviews objects that stand in files. A Set is everything that one
// run reads: it is loaded first, so that a Deployment in one file knows the
// Service in another, and then reviewed, object by object.
package audit

import (
	"github.com/forestall/forestall/internal/finding"
)

// Error is something that could not be read or judged. It never hides the rest.
type Error struct {
	Source finding.Source
	// Rule is the id of the rule that failed; empty where the input is at fault.
	Rule string
	Err  error
}

// Error gives the place and what went wrong.
func (e Error) Error() string { return e.Source.String() + ": " + e.Err.Error() }

// Unwrap returns the cause.
func (e Error) Unwrap() error { return e.Err }

// Result is what an audit found. Findings and Errors are in the order of the
// input: by file as given, by document, then as the review orders them.
type Result struct {
	// Files that were read.
	Files int
	// Documents in them, without empty ones.
	Documents int
	// Objects in the documents; a List holds several.
	Objects int
	// Judged objects: those with a pod template.
	Judged int
	// Skipped documents: those without apiVersion and kind.
	Skipped  int
	Findings []finding.Finding
	Errors   []Error
}
