package report

import (
	"slices"
	"strings"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/terminal"
)

// aside is what a table says behind its findings.
type aside struct{ ignored, warnings, errors []terminal.Row }

func (a *aside) ignore(i finding.Ignored) {
	a.ignored = append(a.ignored, terminal.Row{
		{Text: i.Source.String()}, {Text: string(i.Level)}, {Text: i.Rule}, {Text: about(i.Finding)}, {Text: i.IgnoreReason},
	})
}

func (a *aside) warn(w audit.Warning) {
	a.warnings = append(a.warnings, terminal.Row{{Text: w.Source.String()}, {Text: w.Message, Colour: terminal.Yellow}})
}

func (a *aside) fail(e audit.Error) {
	a.errors = append(a.errors, terminal.Row{{Text: e.Source.String()}, {Text: e.Err.Error(), Colour: terminal.Red}})
}

// show writes the rows, each kind as a table of its own.
func (a *aside) show(b *strings.Builder, s terminal.Screen) {
	part(b, s, a.ignored, terminal.Column{Name: "IGNORED"}, terminal.Column{Name: "RULE"},
		terminal.Column{Name: "OBJECT"}, terminal.Column{Name: "REASON GIVEN", Least: terminal.Readable})
	part(b, s, a.warnings, terminal.Column{Name: "WARNING", Least: terminal.Readable})
	part(b, s, a.errors, terminal.Column{Name: "ERROR", Least: terminal.Readable})
}

// part writes the rows of one kind, which begin with a place. Where no row has one, as in a cluster, the places are left out.
func part(b *strings.Builder, s terminal.Screen, rows []terminal.Row, columns ...terminal.Column) {
	if len(rows) == 0 {
		return
	}
	if slices.ContainsFunc(rows, func(r terminal.Row) bool { return r[0].Text != "" }) {
		columns = slices.Insert(columns, 0, terminal.Column{Name: "LOCATION"})
	} else {
		for i := range rows {
			rows[i] = rows[i][1:]
		}
	}
	terminal.NewTable(s, columns...).Write(b, rows)
	b.WriteByte('\n')
}
