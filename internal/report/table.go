package report

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/finding"
)

// maxRows bounds the text of the rows that wait until the widths of their columns are known.
// Where there is more text, the table is shown in several parts, and its columns may get wider.
const maxRows = 16 << 20

// table is a sink that shows a run to people: findings, errors, and what it comes to.
type table struct {
	to     io.Writer
	screen Screen
	// rows are the findings that were not shown yet. size is how many bytes of text they have,
	// and most is how many they may have; 0 for maxRows.
	rows       []row
	size, most int
	// widths are the widths of the columns that were shown.
	widths []int
	errors []row
	// first is the rule of the first finding.
	first string
}

// Found keeps the row of a finding.
func (t *table) Found(f finding.Finding) error {
	if t.first == "" {
		t.first = f.Rule
		t.rows = append(t.rows, heading("LOCATION", "LEVEL", "RULE", "OBJECT", "REASON"))
	}
	r := row{
		{f.Source.String(), plain},
		{string(f.Level), colourOf(f.Level)},
		{f.Rule, plain},
		{about(f), plain},
		{f.Reason, plain},
	}
	t.rows = append(t.rows, r)
	for _, c := range r {
		t.size += len(c.text)
	}
	if t.size <= cmp.Or(t.most, maxRows) {
		return nil
	}
	return t.show()
}

// show writes the rows that wait.
func (t *table) show() error {
	var b strings.Builder
	t.widths = t.screen.columns(&b, t.rows, t.widths)
	t.rows, t.size = nil, 0
	_, err := io.WriteString(t.to, b.String())
	return wrapped(err)
}

// Failed keeps the row of an error.
func (t *table) Failed(e audit.Error) error {
	if len(t.errors) == 0 {
		t.errors = append(t.errors, heading("LOCATION", "ERROR"))
	}
	t.errors = append(t.errors, row{{e.Source.String(), plain}, {e.Err.Error(), red}})
	return nil
}

// Done writes the rest.
func (t *table) Done(sum audit.Summary) error {
	var b strings.Builder
	if t.first != "" {
		if err := t.show(); err != nil {
			return err
		}
		b.WriteByte('\n')
	}
	if len(t.errors) > 0 {
		t.screen.columns(&b, t.errors, nil)
		b.WriteByte('\n')
	}
	b.WriteString(line(sum) + "\n")
	if t.first != "" {
		b.WriteString("Why, and how to fix it: forestall explain " + t.first + "\n")
	}
	_, err := io.WriteString(t.to, b.String())
	return wrapped(err)
}

// about names the object and the container.
func about(f finding.Finding) string {
	name := f.Object.Kind + "/" + f.Object.Name
	if f.Container == "" {
		return name
	}
	return name + ", " + f.Container
}

// line is the summary in one line.
func line(s audit.Summary) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s, %d judged", count(s.Files, "file"), count(s.Objects, "object"), s.Judged)
	if s.Skipped > 0 {
		fmt.Fprintf(&b, ", %s skipped (no apiVersion and kind)", count(s.Skipped, "document"))
	}
	fmt.Fprintf(&b, ": %d deny, %d warn, %d audit", s.Findings.Deny, s.Findings.Warn, s.Findings.Audit)
	if s.Errors > 0 {
		b.WriteString("; " + count(s.Errors, "error"))
	}
	return b.String()
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
