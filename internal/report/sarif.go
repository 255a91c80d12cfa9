package report

import (
	"bufio"
	"bytes"
	"io"
	"path/filepath"
	"strings"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/finding"
)

// sarif is a sink that writes SARIF 2.1.0 (https://docs.oasis-open.org/sarif/sarif/v2.1.0/) while the audit runs. Results come
// first. The rules that they name, and what could not be judged, stand behind them.
type sarif struct {
	out     *bufio.Writer
	options Options
	prints  fingerprints
	results int
	rules   sarifRules
	// notes are the warnings and errors of the run.
	notes []sarifNotification
	// failed is set once something could not be judged.
	failed bool
}

func newSARIF(w io.Writer, o Options) *sarif {
	return &sarif{out: bufio.NewWriterSize(w, 32<<10), options: o, notes: []sarifNotification{}}
}

// Found writes a result.
func (s *sarif) Found(f finding.Finding) error { return s.write(s.result(f)) }

// FoundIgnored writes a result that is suppressed, with the reason given.
func (s *sarif) FoundIgnored(i finding.Ignored) error {
	r := s.result(i.Finding)
	// The annotation stands in the object that is judged.
	r.Suppressions = []sarifSuppression{{Kind: "inSource", Status: "accepted", Justification: i.IgnoreReason}}
	return s.write(r)
}

// FoundTrouble writes a result of no rule.
func (s *sarif) FoundTrouble(t finding.Trouble) error {
	text := objectName(t.Object, t.Container) + ": " + t.Reason
	if t.Known != "" {
		text += "\n" + t.Known
	}
	as := finding.Finding{Rule: observedRule, Object: t.Object, Container: t.Container}
	return s.write(sarifResult{
		RuleID: observedRule, RuleIndex: s.rules.index(observedRule), Level: "warning", Message: sarifText{Text: text},
		Locations: sarifLocations(as), PartialFingerprints: map[string]string{sarifIdentity: s.prints.of(&as)},
		Properties: &sarifProperties{Pods: t.Pods, Evidence: t.Evidence},
	})
}

// Warned keeps a notification.
func (s *sarif) Warned(w audit.Warning) error {
	s.notes = append(s.notes, newNotification("warning", w.Source, w.Message, ""))
	return nil
}

// Failed keeps a notification.
func (s *sarif) Failed(e audit.Error) error {
	s.failed = true
	s.notes = append(s.notes, newNotification("error", e.Source, e.Err.Error(), e.Rule))
	return nil
}

// Done writes the rest of the run.
func (s *sarif) Done(sum audit.Summary) error {
	s.begin()
	if s.results == 0 {
		_, _ = s.out.WriteString("      \"results\": [") // errors come back from Flush
	}
	_, _ = s.out.WriteString("\n      ],\n")
	rest, err := s.rest(sum)
	if err != nil {
		return wrapped(err)
	}
	var b bytes.Buffer
	if err := indented(&b, indent+indent, rest); err != nil {
		return wrapped(err)
	}
	// The fields of the rest go on with the object that the results began.
	_, _ = s.out.WriteString(strings.TrimPrefix(b.String(), "{\n"))
	_, _ = s.out.WriteString("  ]\n}\n")
	return wrapped(s.out.Flush())
}

func (s *sarif) begin() {
	if s.results == 0 {
		_, _ = s.out.WriteString("{\n  \"$schema\": \"" + sarifSchema + "\",\n  \"version\": \"2.1.0\",\n  \"runs\": [\n    {\n")
	}
}

func (s *sarif) write(r sarifResult) error {
	const prefix = indent + indent + indent + indent
	s.begin()
	between := "      \"results\": [\n"
	if s.results > 0 {
		between = ",\n"
	}
	s.results++
	var b bytes.Buffer
	if err := indented(&b, prefix, r); err != nil {
		return wrapped(err)
	}
	_, err := s.out.WriteString(between + prefix + strings.TrimSuffix(b.String(), "\n"))
	return wrapped(err)
}

func (s *sarif) result(f finding.Finding) sarifResult {
	text := about(f) + ": " + f.Reason
	if f.Fix != "" {
		text += "\nFix: " + f.Fix
	}
	return sarifResult{
		RuleID: f.Rule, RuleIndex: s.rules.index(f.Rule), Level: sarifLevel(&f), Message: sarifText{Text: text},
		Locations: sarifLocations(f), PartialFingerprints: map[string]string{sarifIdentity: s.prints.of(&f)},
		Properties: &sarifProperties{
			Certainty: f.Certainty, Cause: f.Cause, Field: f.Field, Patched: f.Patched, Pods: f.Pods, Status: f.Status, Evidence: f.Evidence,
		},
	}
}

func sarifLevel(f *finding.Finding) string {
	switch {
	case f.Patched:
		return "note"
	case f.Level == finding.Deny:
		return "error"
	case f.Level == finding.Warn:
		return "warning"
	default:
		return "note"
	}
}

// sarifLocations are the place in a file, where there is one, and the object by name.
func sarifLocations(f finding.Finding) []sarifLocation {
	name := objectName(f.Object, "")
	at := sarifLocation{LogicalLocations: []sarifLogical{{Name: f.Object.Name, FullyQualifiedName: name, Kind: "resource"}}}
	if f.Container != "" {
		at.LogicalLocations = []sarifLogical{{Name: f.Container, FullyQualifiedName: name + "/" + f.Container, Kind: "member"}}
	}
	at.PhysicalLocation = sarifPlace(f.Source)
	return []sarifLocation{at}
}

func sarifPlace(s finding.Source) *sarifPhysical {
	if s.File == "" || s.File == stdin {
		return nil
	}
	at := &sarifPhysical{ArtifactLocation: sarifArtifact(s.File)}
	if s.Line > 0 {
		at.Region = &sarifRegion{StartLine: s.Line}
	}
	return at
}

// sarifArtifact is a file: relative to the root of the sources, if it was named so.
func sarifArtifact(file string) sarifArtifactLocation {
	if filepath.IsLocal(file) {
		return sarifArtifactLocation{URI: uriOf(filepath.ToSlash(filepath.Clean(file))), URIBaseID: sarifRoot}
	}
	if filepath.IsAbs(file) {
		return sarifArtifactLocation{URI: "file://" + uriOf(filepath.ToSlash(file))}
	}
	return sarifArtifactLocation{URI: uriOf(filepath.ToSlash(file))}
}

func newNotification(level string, at finding.Source, message, rule string) sarifNotification {
	n := sarifNotification{Level: level, Message: sarifText{Text: message}}
	if place := sarifPlace(at); place != nil {
		n.Locations = []sarifLocation{{PhysicalLocation: place}}
	}
	if rule != "" {
		n.AssociatedRule = &sarifReference{ID: rule}
	}
	return n
}
