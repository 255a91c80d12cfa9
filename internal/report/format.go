package report

import (
	"fmt"
	"io"

	"sigs.k8s.io/yaml"
)

// Format is a way to show something.
type Format string

// The formats.
const (
	Table Format = "table"
	JSON  Format = "json"
	YAML  Format = "yaml"
)

// Formats lists the formats; the first is for people.
func Formats() []Format { return []Format{Table, JSON, YAML} }

// A document can be shown in every format.
type document interface {
	table(s Screen) []byte
}

// Write shows a report in the format.
func Write(w io.Writer, r Report, f Format, s Screen) error { return write(w, r, f, s) }

// WriteRules shows a list of rules in the format.
func WriteRules(w io.Writer, r RuleList, f Format, s Screen) error { return write(w, r, f, s) }

func write(w io.Writer, d document, f Format, s Screen) error {
	var err error
	switch f {
	case Table, "":
		_, err = w.Write(d.table(s))
	case JSON:
		err = Indented(w, d)
	case YAML:
		err = inYAML(w, d)
	default:
		err = fmt.Errorf("it is one of %q", Formats())
	}
	if err != nil {
		return fmt.Errorf("writing as %s: %w", f, err)
	}
	return nil
}

func inYAML(w io.Writer, v any) error {
	out, err := yaml.Marshal(v)
	if err != nil {
		return err
	}
	_, err = w.Write(out)
	return err
}
