package report

import (
	"strings"

	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/policy"
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

func (l RuleList) table(s Screen) []byte {
	rows := []row{heading("RULE", "LEVEL", "CERTAINTY", "FAILURE", "TITLE")}
	for _, r := range l.Items {
		rows = append(rows, row{
			{r.ID, plain},
			{string(r.Level), colourOf(r.Level)},
			{string(r.Certainty), plain},
			{r.Failure, plain},
			{r.Title, plain},
		})
	}
	var b strings.Builder
	s.columns(&b, rows, nil)
	return []byte(b.String())
}
