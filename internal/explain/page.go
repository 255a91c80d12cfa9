package explain

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/forestall/forestall/internal/policy"
)

// RulePage returns the page of a rule in Markdown: what the catalogue says of it
// around the hand-written part.
func RulePage(r policy.Rule, written string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n**%s.** %s\n\n", r.ID, r.Title, strings.TrimSpace(r.Description))
	fmt.Fprint(&b, "| | |\n|---|---|\n")
	for _, row := range [][2]string{
		{"What kubectl shows", r.Failure},
		{"Certainty", string(r.Certainty)},
		{"Default level", string(r.Level)},
		{"Category", r.Category},
		{"Confirmed by", confirmed(r)},
		{"Repaired by a patch", repaired(r)},
		{"Since", r.Since},
	} {
		fmt.Fprintf(&b, "| %s | %s |\n", row[0], strings.ReplaceAll(row[1], "|", `\|`))
	}
	fmt.Fprintf(&b, "\n**In short:** %s\n\n%s\n", r.Remediation, strings.TrimSpace(written))
	parameters(&b, r)
	links(&b, r)
	return b.String()
}

func repaired(r policy.Rule) string {
	switch {
	case r.Patches:
		return "yes, where its parameters say with what"
	case r.Suggests:
		return "suggested; `forestall fix --apply-suggestions` makes the change"
	}
	return "no"
}

// confirmed says what of a running cluster's reports shows that a prediction has come true.
func confirmed(r policy.Rule) string {
	switch {
	case r.Unconfirmed != "":
		return "nothing: " + r.Unconfirmed
	case len(r.ConfirmedBy) == 0:
		return "nothing"
	}
	all := make([]string, len(r.ConfirmedBy))
	for i := range r.ConfirmedBy {
		all[i] = r.ConfirmedBy[i].String()
	}
	return strings.Join(all, "; ")
}

func parameters(b *strings.Builder, r policy.Rule) {
	if len(r.Params) == 0 {
		return
	}
	fmt.Fprint(b, "\n## Parameters\n\n| name | type | default | meaning |\n|---|---|---|---|\n")
	for _, name := range slices.Sorted(maps.Keys(r.Params)) {
		p := r.Params[name]
		fmt.Fprintf(b, "| `%s` | %s | `%s` | %s |\n", name, p.Type, asWritten(p.Default), p.Description)
	}
	fmt.Fprintf(b, "\nSet them in the configuration file under `rules.%s.params`.\n", r.ID)
}

// asWritten is a value as it stands in the configuration file: a number in quotes would be refused.
func asWritten(value any) string {
	if text, ok := value.(string); ok {
		return strconv.Quote(text)
	}
	return fmt.Sprint(value)
}

func links(b *strings.Builder, r policy.Rule) {
	if len(r.Links) == 0 {
		return
	}
	fmt.Fprint(b, "\n## Read more\n\n")
	for _, l := range r.Links {
		fmt.Fprintf(b, "- [%s](%s)\n", l.Title, l.URL)
	}
}
