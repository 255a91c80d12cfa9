package main

import (
	"slices"
	"strings"
)

// outcome is what became of a manifest, in the words of its header.
type outcome string

const (
	denied   outcome = "denied"   // forestall refused it
	patched  outcome = "patched"  // stored, with something added
	warned   outcome = "warned"   // stored, and kubectl printed a warning
	admitted outcome = "admitted" // stored as it was, without a word
	// failed is any other end; no header can expect it.
	failed outcome = "failed"
)

// outcomes lists what a header may expect, in the order of the summary.
func outcomes() []outcome { return []outcome{denied, patched, warned, admitted} }

func (o outcome) known() bool { return slices.Contains(outcomes(), o) }

// classify tells an outcome from what kubectl apply printed and returned, and
// from what forestall changed.
func classify(output string, exit int, diff string) outcome {
	switch {
	case exit != 0 && strings.Contains(output, "admission webhook") && strings.Contains(output, "denied the request"):
		return denied
	case exit != 0:
		return failed
	case diff != "":
		return patched
	case slices.ContainsFunc(strings.Split(output, "\n"), isWarning):
		return warned
	}
	return admitted
}

// isWarning recognises how kubectl prints the warnings of an API server.
func isWarning(line string) bool { return strings.HasPrefix(line, "Warning: ") }

// tally counts what became of the manifests of one part.
type tally struct {
	seen       map[outcome]int
	mismatches []string // files whose outcome their header does not expect
}
