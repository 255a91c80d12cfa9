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
	if !inForce(&f).AtLeast(t.level) {
		t.notShown++
		return nil
	}
	return t.Sink.Found(f)
}

// inForce is the level of a finding; of one that is patched the lowest, since nothing is to be done about it.
func inForce(f *finding.Finding) finding.Level {
	if f.Patched {
		return finding.Audit
	}
	return f.Level
}

// Done adds how many were not passed on.
func (t *threshold) Done(s Summary) error {
	s.NotShown = t.notShown
	return t.Sink.Done(s)
}
