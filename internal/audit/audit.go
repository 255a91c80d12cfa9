// Package audit reviews objects that are there already. A run takes them from a Source and
// tells a Sink what it finds, in the order of the source. Files are such a source: a Set is
// everything that one run reads, so that a Deployment in one file knows the Service in another.
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

// Error gives the place, if there is one, and what went wrong.
func (e Error) Error() string {
	if e.Source.File == "" {
		return e.Err.Error()
	}
	return e.Source.String() + ": " + e.Err.Error()
}

// Unwrap returns the cause.
func (e Error) Unwrap() error { return e.Err }

// Summary counts what an audit has seen.
type Summary struct {
	// Files that were read.
	Files int `json:"files"`
	// Documents in them, without empty ones.
	Documents int `json:"documents"`
	// Objects in the documents; a List holds several.
	Objects int `json:"objects"`
	// Judged objects: those with a pod template, and Services.
	Judged int `json:"judged"`
	// Skipped documents: those without apiVersion and kind.
	Skipped int `json:"skipped"`
	// NotJudged counts by kind the objects that were not judged, and says why.
	NotJudged []NotJudged `json:"notJudged"`
	// Findings that stand in admission, by level.
	Findings Levels `json:"findings"`
	// Patched findings, which are not among the others: the webhook would repair them, and admit the object.
	Patched int `json:"patched"`
	// NotShown is how many of them a sink has not shown.
	NotShown int `json:"notShown"`
	// Ignored findings, which are not among the others.
	Ignored  int `json:"ignored"`
	Warnings int `json:"warnings"`
	Errors   int `json:"errors"`
	// Troubles are the failures that a running cluster reports and no finding predicts.
	Troubles int `json:"troubles,omitempty"`
	// Assumed is what a mode would do that is not in force; nil where none is assumed.
	Assumed *Assumed `json:"assumed,omitempty"`
	// Baseline is the earlier report of which the findings are left out; nil where there is none.
	Baseline *Earlier `json:"baseline,omitempty"`
	// Cluster is the running cluster that was asked; nil where the objects come from files alone.
	Cluster *Cluster `json:"cluster,omitempty"`
}

// Levels counts findings by level.
type Levels struct {
	Deny  int `json:"deny"`
	Warn  int `json:"warn"`
	Audit int `json:"audit"`
}

// AtLeast counts the findings of a level and of those above it.
func (l Levels) AtLeast(level finding.Level) int {
	n := 0
	for at, count := range map[finding.Level]int{finding.Deny: l.Deny, finding.Warn: l.Warn, finding.Audit: l.Audit} {
		if at.AtLeast(level) {
			n += count
		}
	}
	return n
}

// Count counts a finding.
func (l *Levels) Count(level finding.Level) {
	switch level {
	case finding.Deny:
		l.Deny++
	case finding.Warn:
		l.Warn++
	case finding.Audit:
		l.Audit++
	case finding.Off: // a rule that is off finds nothing
	}
}
