package report

import (
	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/finding"
)

// Baseline is a sink that passes on what an earlier report does not hold. An object that stands in more files than before has new findings
// in the files that have come.
type Baseline struct {
	audit.Sink
	earlier *Earlier
	known   audit.Earlier
}

// Since returns a sink that tells another what is new since the earlier report, which it takes over.
func Since(e *Earlier, to audit.Sink) *Baseline {
	return &Baseline{Sink: to, earlier: e, known: audit.Earlier{File: e.File}}
}

// Found passes on a finding that is new.
func (b *Baseline) Found(f finding.Finding) error {
	if _, known := b.earlier.take(f.Key()); !known {
		return b.Sink.Found(f)
	}
	if f.Patched {
		b.known.Patched++
	} else {
		b.known.Findings.Count(f.Level)
	}
	return nil
}

// FoundTrouble passes on a trouble that is new.
func (b *Baseline) FoundTrouble(t finding.Trouble) error {
	f := troubleAsFinding(t)
	if _, known := b.earlier.take(f.Key()); !known {
		return b.Sink.FoundTrouble(t)
	}
	b.known.Troubles++
	return nil
}

// Done passes on the summary of what is new.
func (b *Baseline) Done(s audit.Summary) error { return b.Sink.Done(b.Summary(s)) }

// Summary returns that of a run without what the baseline holds, which it counts.
func (b *Baseline) Summary(s audit.Summary) audit.Summary {
	known := b.known
	known.Gone = len(b.earlier.left())
	s.Findings.Deny -= known.Findings.Deny
	s.Findings.Warn -= known.Findings.Warn
	s.Findings.Audit -= known.Findings.Audit
	s.Patched -= known.Patched
	s.Troubles -= known.Troubles
	s.Baseline = &known
	return s
}
