package report

import (
	"bufio"
	"bytes"
	"io"
	"strings"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/finding"
)

// gitlab is a sink that writes a Code Quality report while the audit runs
// (https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format).
type gitlab struct {
	out     *bufio.Writer
	prints  fingerprints
	written int
}

// degradation is one entry of it.
type degradation struct {
	Description string          `json:"description"`
	CheckName   string          `json:"check_name"`
	Fingerprint string          `json:"fingerprint"`
	Severity    string          `json:"severity"`
	Location    degradationFile `json:"location"`
}

type degradationFile struct {
	Path  string `json:"path"`
	Lines struct {
		Begin int `json:"begin"`
	} `json:"lines"`
}

func newGitLab(w io.Writer) *gitlab { return &gitlab{out: bufio.NewWriterSize(w, 32<<10)} }

// Found writes an entry.
func (g *gitlab) Found(f finding.Finding) error {
	severity := map[finding.Level]string{finding.Deny: "critical", finding.Warn: "major"}[f.Level]
	switch {
	case f.Patched:
		severity = "info"
	case severity == "":
		severity = "minor"
	}
	return g.write(degradation{
		Description: about(f) + ": " + f.Reason, CheckName: f.Rule, Fingerprint: g.prints.of(&f), Severity: severity,
		Location: degradationAt(f.Source, f.Object),
	})
}

// FoundIgnored writes nothing: the report is of what is to be mended.
func (g *gitlab) FoundIgnored(finding.Ignored) error { return nil }

// FoundTrouble writes an entry for a failure that nothing predicts.
func (g *gitlab) FoundTrouble(t finding.Trouble) error {
	return g.write(degradation{
		Description: objectName(t.Object, t.Container) + ": " + t.Reason, CheckName: observedRule, Severity: "major",
		Fingerprint: g.prints.of(&finding.Finding{Rule: observedRule, Object: t.Object, Container: t.Container}),
		Location:    degradationAt(finding.Source{}, t.Object),
	})
}

// Warned writes an entry for something in the input.
func (g *gitlab) Warned(w audit.Warning) error {
	return g.write(degradation{
		Description: w.Message, CheckName: warningRule, Severity: "info", Fingerprint: g.ofInput(warningRule, w.Source, w.Message),
		Location: degradationAt(w.Source, finding.Object{}),
	})
}

// Failed writes an entry for an error: a report of an audit that could not judge all is never empty.
func (g *gitlab) Failed(e audit.Error) error {
	return g.write(degradation{
		Description: "not judged: " + e.Err.Error(), CheckName: errorRule, Severity: "blocker", Fingerprint: g.ofInput(errorRule, e.Source, e.Err.Error()),
		Location: degradationAt(e.Source, finding.Object{}),
	})
}

// ofInput is the fingerprint of what is said of a file.
func (g *gitlab) ofInput(rule string, s finding.Source, message string) string {
	return g.prints.of(&finding.Finding{Rule: rule, Field: message, Object: finding.Object{Name: s.File}})
}

// Done ends the list.
func (g *gitlab) Done(audit.Summary) error {
	if g.written == 0 {
		_, _ = g.out.WriteString("[") // an error comes back from Flush
	}
	_, _ = g.out.WriteString("\n]\n")
	return wrapped(g.out.Flush())
}

func (g *gitlab) write(d degradation) error {
	between := "[\n"
	if g.written > 0 {
		between = ",\n"
	}
	g.written++
	var b bytes.Buffer
	if err := indented(&b, indent, d); err != nil {
		return wrapped(err)
	}
	_, err := g.out.WriteString(between + indent + strings.TrimSuffix(b.String(), "\n"))
	return wrapped(err)
}

// degradationAt is a place; lines count from 1 also where the file as a whole is meant.
func degradationAt(s finding.Source, o finding.Object) degradationFile {
	at := degradationFile{Path: pathOf(s, o)}
	at.Lines.Begin = max(1, s.Line)
	return at
}
