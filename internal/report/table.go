package report

import (
	"fmt"
	"strings"

	"github.com/forestall/forestall/internal/finding"
)

// table is the report for people: findings, errors, and what it comes to.
func (r Report) table(s Screen) []byte {
	var b strings.Builder
	if len(r.Findings) > 0 {
		s.columns(&b, r.findingRows())
		b.WriteByte('\n')
	}
	if len(r.Errors) > 0 {
		s.columns(&b, r.errorRows())
		b.WriteByte('\n')
	}
	b.WriteString(r.Summary.String() + "\n")
	if len(r.Findings) > 0 {
		b.WriteString("Why, and how to fix it: forestall explain " + r.Findings[0].Rule + "\n")
	}
	return []byte(b.String())
}

func (r Report) findingRows() []row {
	rows := []row{heading("LOCATION", "LEVEL", "RULE", "OBJECT", "REASON")}
	for _, f := range r.Findings {
		rows = append(rows, row{
			{f.Source.String(), plain},
			{string(f.Level), colourOf(f.Level)},
			{f.Rule, plain},
			{about(f), plain},
			{f.Reason, plain},
		})
	}
	return rows
}

func (r Report) errorRows() []row {
	rows := []row{heading("LOCATION", "ERROR")}
	for _, e := range r.Errors {
		rows = append(rows, row{{e.Source.String(), plain}, {e.Message, red}})
	}
	return rows
}

// about names the object and the container.
func about(f finding.Finding) string {
	name := f.Object.Kind + "/" + f.Object.Name
	if f.Container == "" {
		return name
	}
	return name + ", " + f.Container
}

// String is the summary in one line.
func (s Summary) String() string {
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
