package report

import (
	"fmt"
	"strings"

	"github.com/forestall/forestall/internal/finding"
)

// seen is what a cluster reports beside a finding, in one line; empty where none was asked.
func seen(f *finding.Finding) string {
	var parts []string
	if f.Status != "" {
		parts = append(parts, string(f.Status))
	}
	for _, s := range f.Evidence {
		parts = append(parts, symptom(s))
	}
	return strings.Join(parts, "; ")
}

// symptom is one thing that a cluster reports.
func symptom(s finding.Symptom) string {
	words := []string{string(s.Kind)}
	if s.Reason != "" {
		words = append(words, s.Reason)
	}
	if s.ExitCode != nil {
		words = append(words, fmt.Sprintf("exit code %d", *s.ExitCode))
	}
	if s.Count > 0 {
		words = append(words, fmt.Sprintf("%d times", s.Count))
	}
	if s.Pods > 0 {
		words = append(words, "in "+count(s.Pods, "pod"))
	}
	return strings.Join(words, " ")
}
