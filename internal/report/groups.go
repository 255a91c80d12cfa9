package report

import (
	"fmt"
	"strings"

	"github.com/forestall/forestall/internal/evidence"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/terminal"
)

// groups are the findings of a running cluster: those that happen already, and those that do not. What fails without a
// prediction stands between them.
type groups struct {
	happening, predicted, troubles []terminal.Row
	// size is how many bytes of text wait, and left how many predictions had no room.
	size, left int
}

// found keeps the row of a finding. Of what is only predicted no more is kept than a table may hold; what happens
// is always shown.
func (g *groups) found(f *finding.Finding) {
	r := terminal.Row{
		verdictOf(f), {Text: f.Rule}, {Text: withPods(*f)}, {Text: f.Reason}, {Text: evidence.Clause(f.Evidence, f.Pods), Colour: terminal.Yellow},
	}
	if f.Status == finding.Happening {
		g.happening = append(g.happening, r)
		return
	}
	if g.size > maxRows {
		g.left++
		return
	}
	for _, c := range r {
		g.size += len(c.Text)
	}
	g.predicted = append(g.predicted, r[:4])
}

// trouble keeps the row of a failure that nothing predicts.
func (g *groups) trouble(t *finding.Trouble) {
	g.troubles = append(g.troubles, terminal.Row{
		{Text: objectName(t.Object, t.Container)},
		{Text: t.Reason, Colour: terminal.Yellow},
		{Text: strings.TrimPrefix(strings.TrimPrefix(evidence.Clause(t.Evidence, 0), t.Reason), ", ")},
		{Text: t.Known},
	})
}

// show writes the groups that have something in them, with how much it is.
func (g *groups) show(b *strings.Builder, s terminal.Screen) {
	findings := []terminal.Column{
		{Name: "LEVEL"}, {Name: "RULE"}, {Name: "OBJECT"}, {Name: "REASON", Least: terminal.Readable}, {Name: "EVIDENCE", Least: terminal.Readable},
	}
	for _, group := range []struct {
		title string
		rows  []terminal.Row
		cols  []terminal.Column
		left  int
	}{
		{"Predicted and happening", g.happening, findings, 0},
		{"Failing without a prediction", g.troubles, []terminal.Column{
			{Name: "OBJECT"}, {Name: "REASON"}, {Name: "EVIDENCE", Least: terminal.Readable}, {Name: "WHAT IS KNOWN", Least: terminal.Readable},
		}, 0},
		{"Predicted", g.predicted, findings[:4], g.left},
	} {
		if len(group.rows) == 0 {
			continue
		}
		b.WriteString(s.Bold(fmt.Sprintf("%s (%d)", group.title, len(group.rows)+group.left)) + "\n\n")
		terminal.NewTable(s, group.cols...).Write(b, group.rows)
		if group.left > 0 {
			fmt.Fprintf(b, "... and %d more: -o json shows all of them\n", group.left)
		}
		b.WriteByte('\n')
	}
}
