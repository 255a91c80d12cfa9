package explain

import (
	"fmt"
	"strings"

	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/review"
)

// maxWarning is the length in characters that the Kubernetes API advises for a
// warning (k8s.io/api/admission/v1, AdmissionResponse.Warnings).
const maxWarning = 120

// Warnings returns one line for each finding at level warn.
func Warnings(d review.Decision) []string {
	var lines []string
	for _, f := range d.At(finding.Warn) {
		lines = append(lines, warning(Reason(f), f.Rule))
	}
	return lines
}

// Repaired returns one line for each change that a patch makes.
func Repaired(repaired []finding.Finding) []string {
	var lines []string
	for _, f := range repaired {
		for _, r := range f.Repairs {
			change := fmt.Sprintf("%s %s: %v", done(r.Op), field(r.Path), r.Value)
			lines = append(lines, warning(of(f.Container, change), f.Rule))
		}
	}
	return lines
}

// Warning returns text as one line that the API server passes on: it drops any
// warning with a control character, and cuts long ones.
func Warning(text string) string {
	return cut("forestall: "+oneLine(text), maxWarning)
}

func warning(text, rule string) string {
	end := " [" + rule + "]"
	return cut("forestall: "+oneLine(text), maxWarning-len(end)) + end
}

// field returns the part of a path below its container.
func field(path string) string {
	return strings.TrimPrefix(path[strings.LastIndexByte(path, ']')+1:], ".")
}

func done(op string) string {
	if op == "add" {
		return "added"
	}
	return "set"
}
