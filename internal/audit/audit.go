// Package audit reviews objects that stand in files. A Set is everything that one
// run reads: it is loaded first, so that a Deployment in one file knows the
// Service in another, and then reviewed, object by object.
package audit

import (
	"fmt"

	"github.com/forestall/forestall/internal/review"
)

// Source is a place in a file.
type Source struct {
	// File as it was named, or found below the folder that was named.
	File string `json:"file"`
	// Line counts from 1; 0 where the file as a whole is meant.
	Line int `json:"line"`
}

// String returns the place as compilers write it.
func (s Source) String() string {
	if s.Line == 0 {
		return s.File
	}
	return fmt.Sprintf("%s:%d", s.File, s.Line)
}

// Finding is a finding of a review with the object and the place in the file.
type Finding struct {
	review.Finding
	Object review.Object
	Source Source
}

// Error is something that could not be read or judged. It never hides the rest.
type Error struct {
	Source Source
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
	Findings []Finding
	Errors   []Error
}
