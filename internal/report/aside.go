package report

import (
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
	if len(a.ignored) > 0 {
		terminal.NewTable(s, terminal.Column{Name: "LOCATION"}, terminal.Column{Name: "IGNORED"}, terminal.Column{Name: "RULE"},
			terminal.Column{Name: "OBJECT"}, terminal.Column{Name: "REASON GIVEN", Least: terminal.Readable}).Write(b, a.ignored)
		b.WriteByte('\n')
	}
	if len(a.warnings) > 0 {
		terminal.NewTable(s, terminal.Column{Name: "LOCATION"}, terminal.Column{Name: "WARNING", Least: terminal.Readable}).Write(b, a.warnings)
		b.WriteByte('\n')
	}
	if len(a.errors) > 0 {
		terminal.NewTable(s, terminal.Column{Name: "LOCATION"}, terminal.Column{Name: "ERROR", Least: terminal.Readable}).Write(b, a.errors)
		b.WriteByte('\n')
	}
}
