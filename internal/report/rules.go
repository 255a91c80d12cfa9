package report

import (
	"strings"

	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/policy"
	"github.com/forestall/forestall/internal/terminal"
)

// RuleList is the catalogue as programs read it.
type RuleList struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Items      []Rule `json:"items"`
}

// Rule is one rule of a RuleList.
type Rule struct {
	ID        string            `json:"id"`
	Level     finding.Level     `json:"level"`
	Certainty finding.Certainty `json:"certainty"`
	Failure   string            `json:"failure"`
	Title     string            `json:"title"`
}

// Rules makes a RuleList of a catalogue, in its order.
func Rules(catalogue []policy.Rule) RuleList {
	l := RuleList{APIVersion: APIVersion, Kind: "RuleList", Items: make([]Rule, 0, len(catalogue))}
	for _, r := range catalogue {
		l.Items = append(l.Items, Rule{ID: r.ID, Level: r.Level, Certainty: r.Certainty, Failure: r.Failure, Title: r.Title})
	}
	return l
}

func (l RuleList) table(s terminal.Screen) []byte {
	var rows []terminal.Row
	for _, r := range l.Items {
		rows = append(rows, terminal.Row{
			{Text: r.ID},
			{Text: string(r.Level), Colour: colourOf(r.Level)},
			{Text: string(r.Certainty)},
			{Text: r.Failure},
			{Text: r.Title},
		})
	}
	var b strings.Builder
	terminal.NewTable(s,
		terminal.Column{Name: "RULE"}, terminal.Column{Name: "LEVEL"}, terminal.Column{Name: "CERTAINTY"},
		terminal.Column{Name: "FAILURE", Least: terminal.Readable}, terminal.Column{Name: "TITLE", Least: terminal.Readable}).Write(&b, rows)
	return []byte(b.String())
}
