package audit

import "github.com/forestall/forestall/internal/finding"

// AtLeast returns a sink that passes on findings of a level and of those above it, and everything else.
// The summary counts all findings, and how many were not passed on.
func AtLeast(level finding.Level, to Sink) Sink { return &threshold{Sink: to, level: level} }

type threshold struct {
	Sink
	level    finding.Level
	notShown int
}

// Found passes on a finding of the level.
func (t *threshold) Found(f finding.Finding) error {
	if !f.Level.AtLeast(t.level) {
		t.notShown++
		return nil
	}
	return t.Sink.Found(f)
}

// Done adds how many were not passed on.
func (t *threshold) Done(s Summary) error {
	s.NotShown = t.notShown
	return t.Sink.Done(s)
}
