package report

import (
	"fmt"
	"io"

	"sigs.k8s.io/yaml"

	"github.com/forestall/forestall/internal/terminal"
)

// Format is a way to show something.
type Format string

// The formats.
const (
	Table Format = "table"
	JSON  Format = "json"
	YAML  Format = "yaml"
	HTML  Format = "html"
)

// The further formats of audits.
const (
	NDJSON       Format = "ndjson"
	SARIF        Format = "sarif"
	JUnit        Format = "junit"
	Markdown     Format = "markdown"
	GitHub       Format = "github"
	GitLab       Format = "gitlab"
	OpenReports  Format = "openreports"
	PolicyReport Format = "policyreport"
)

// Formats lists the formats of lists and counts; the first is for people.
func Formats() []Format { return []Format{Table, JSON, YAML} }

// WriteRules shows a list of rules in the format.
func WriteRules(w io.Writer, r RuleList, f Format, s terminal.Screen) error {
	var err error
	switch f {
	case Table, "":
		_, err = w.Write(r.table(s))
	case JSON:
		err = Indented(w, r)
	case YAML:
		var out []byte
		if out, err = yaml.Marshal(r); err == nil {
			_, err = w.Write(out)
		}
	default:
		err = unknown(f)
	}
	if err != nil {
		return fmt.Errorf("writing as %s: %w", f, err)
	}
	return nil
}

func unknown(f Format) error {
	return fmt.Errorf("there is no format %q: it is one of %q", f, Formats())
}
