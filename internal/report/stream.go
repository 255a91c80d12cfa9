package report

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/finding"
)

// stream is a sink that writes a Report while the audit runs. It keeps what stands behind the
// findings until the end.
type stream struct {
	out    *bufio.Writer
	format encoding
	// findings is how many were written.
	findings int
	begun    bool
	ignored  []finding.Ignored
	troubles []finding.Trouble
	warnings []audit.Warning
	errors   []Error
}

// encoding is how the parts of a Report are written one after another.
type encoding interface {
	// begin writes the fields before the findings.
	begin(w *bufio.Writer)
	// item writes the i-th item of the list that is the value of a field.
	item(w *bufio.Writer, field string, i int, v any) error
	// close ends a list of n items.
	close(w *bufio.Writer, field string, n int)
	// end writes the last field.
	end(w *bufio.Writer, field string, v any) error
}

func newStream(w io.Writer, e encoding) *stream {
	return &stream{out: bufio.NewWriterSize(w, 32<<10), format: e}
}

// Found writes a finding.
func (s *stream) Found(f finding.Finding) error {
	s.begin()
	err := s.format.item(s.out, "findings", s.findings, f)
	s.findings++
	return wrapped(err)
}

// FoundIgnored keeps a finding that is ignored.
func (s *stream) FoundIgnored(i finding.Ignored) error {
	s.ignored = append(s.ignored, i)
	return nil
}

// FoundTrouble keeps a failure that nothing predicts.
func (s *stream) FoundTrouble(t finding.Trouble) error {
	s.troubles = append(s.troubles, t)
	return nil
}

// Warned keeps a warning.
func (s *stream) Warned(w audit.Warning) error {
	s.warnings = append(s.warnings, w)
	return nil
}

// Failed keeps an error.
func (s *stream) Failed(e audit.Error) error {
	s.errors = append(s.errors, newError(e))
	return nil
}

// Done writes what was kept, and the summary.
func (s *stream) Done(sum audit.Summary) error {
	s.begin()
	s.format.close(s.out, "findings", s.findings)
	err := list(s, "ignored", s.ignored)
	if sum.Cluster != nil {
		err = errors.Join(err, list(s, "troubles", s.troubles))
	}
	err = errors.Join(err, list(s, "warnings", s.warnings), list(s, "errors", s.errors))
	if err != nil {
		return wrapped(err)
	}
	if err := s.format.end(s.out, "summary", sum); err != nil {
		return wrapped(err)
	}
	return wrapped(s.out.Flush())
}

// list writes a list that is the value of a field.
func list[T any](s *stream, field string, items []T) error {
	for i := range items {
		if err := s.format.item(s.out, field, i, items[i]); err != nil {
			return err
		}
	}
	s.format.close(s.out, field, len(items))
	return nil
}

func (s *stream) begin() {
	if !s.begun {
		s.begun = true
		s.format.begin(s.out)
	}
}

func wrapped(err error) error {
	if err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}

// Errors of a bufio.Writer come back from the next call and from Flush, so the methods below
// return those of the encoders alone.

// inJSON writes what Indented would write in one piece.
type inJSON struct{}

func (inJSON) begin(w *bufio.Writer) {
	fmt.Fprintf(w, "{\n  \"apiVersion\": %q,\n  \"kind\": %q,\n", APIVersion, reportKind)
}

func (inJSON) item(w *bufio.Writer, field string, i int, v any) error {
	const prefix = indent + indent
	var b bytes.Buffer
	if err := indented(&b, prefix, v); err != nil {
		return err
	}
	between := fmt.Sprintf("  %q: [\n", field)
	if i > 0 {
		between = ",\n"
	}
	_, err := w.WriteString(between + prefix + strings.TrimSuffix(b.String(), "\n"))
	return err
}

func (inJSON) close(w *bufio.Writer, field string, n int) {
	if n == 0 {
		fmt.Fprintf(w, "  %q: [],\n", field)
		return
	}
	fmt.Fprint(w, "\n  ],\n")
}

func (inJSON) end(w *bufio.Writer, field string, v any) error {
	fmt.Fprintf(w, "  %q: ", field)
	var b bytes.Buffer
	if err := indented(&b, indent, v); err != nil {
		return err
	}
	_, err := w.WriteString(b.String() + "}\n")
	return err
}

// inYAML writes the same in YAML. A list of one item is that item behind its dash.
type inYAML struct{}

func (inYAML) begin(w *bufio.Writer) {
	fmt.Fprintf(w, "apiVersion: %s\nkind: %s\n", APIVersion, reportKind)
}

func (inYAML) item(w *bufio.Writer, field string, i int, v any) error {
	if i == 0 {
		fmt.Fprintf(w, "%s:\n", field)
	}
	text, err := yaml.Marshal([]any{v})
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}

func (inYAML) close(w *bufio.Writer, field string, n int) {
	if n == 0 {
		fmt.Fprintf(w, "%s: []\n", field)
	}
}

func (inYAML) end(w *bufio.Writer, field string, v any) error {
	text, err := yaml.Marshal(map[string]any{field: v})
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}
