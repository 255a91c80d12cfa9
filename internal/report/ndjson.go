package report

import (
	"bufio"
	"encoding/json"
	"io"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/finding"
)

// The kinds of lines of a report as NDJSON.
const (
	findingLine = "finding"
	ignoredLine = "ignored"
	troubleLine = "trouble"
	warningLine = "warning"
	errorLine   = "error"
	summaryLine = "summary"
)

// lineHead is how each line begins.
type lineHead struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
}

// ndjson is a sink that writes one JSON object a line, while the audit runs. Nothing is kept. A report without a
// summary is not whole.
type ndjson struct{ out *bufio.Writer }

func newNDJSON(w io.Writer) *ndjson { return &ndjson{out: bufio.NewWriterSize(w, 32<<10)} }

// Found writes a line.
func (n *ndjson) Found(f finding.Finding) error {
	return n.line(struct {
		lineHead
		finding.Finding
	}{head(findingLine), f})
}

// FoundIgnored writes a line.
func (n *ndjson) FoundIgnored(i finding.Ignored) error {
	return n.line(struct {
		lineHead
		finding.Ignored
	}{head(ignoredLine), i})
}

// FoundTrouble writes a line.
func (n *ndjson) FoundTrouble(t finding.Trouble) error {
	return n.line(struct {
		lineHead
		finding.Trouble
	}{head(troubleLine), t})
}

// Warned writes a line.
func (n *ndjson) Warned(w audit.Warning) error {
	return n.line(struct {
		lineHead
		audit.Warning
	}{head(warningLine), w})
}

// Failed writes a line.
func (n *ndjson) Failed(e audit.Error) error {
	return n.line(struct {
		lineHead
		Error
	}{head(errorLine), newError(e)})
}

// Done writes the last line.
func (n *ndjson) Done(s audit.Summary) error {
	err := n.line(struct {
		lineHead
		audit.Summary
	}{head(summaryLine), s})
	if err != nil {
		return err
	}
	return wrapped(n.out.Flush())
}

func head(kind string) lineHead { return lineHead{APIVersion: APIVersion, Kind: kind} }

func (n *ndjson) line(v any) error {
	e := json.NewEncoder(n.out)
	e.SetEscapeHTML(false)
	return wrapped(e.Encode(v))
}
