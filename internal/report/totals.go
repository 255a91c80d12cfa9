package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/terminal"
)

// Totals is the document of an audit that counts findings and does not list them.
type Totals struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	// Rules that found something, the one with the most at the strongest level first.
	Rules []RuleTotal `json:"rules"`
	// Ignored, Warnings, Errors and Summary are those of a Report.
	Ignored  []finding.Ignored `json:"ignored"`
	Warnings []audit.Warning   `json:"warnings"`
	Errors   []Error           `json:"errors"`
	Summary  audit.Summary     `json:"summary"`
}

// RuleTotal counts the findings of a rule.
type RuleTotal struct {
	Rule     string       `json:"rule"`
	Findings audit.Levels `json:"findings"`
	// Patched findings are not among them: the webhook would repair them.
	Patched int `json:"patched"`
	// Objects that have them.
	Objects int `json:"objects"`
	// Repairs are the findings that forestall fix repairs, and Suggestions those that it repairs with
	// --apply-suggestions besides.
	Repairs     int `json:"repairs"`
	Suggestions int `json:"suggestions"`
	// Ignored findings are not among the others.
	Ignored int `json:"ignored"`
}

const totalsKind = "AuditSummary"

// AuditTotals returns a sink that shows what a run comes to, by rule.
func AuditTotals(w io.Writer, f Format, o Options) (audit.Sink, error) {
	if f != "" && !slices.Contains(Formats(), f) {
		return nil, unknown(f)
	}
	return &totals{to: w, format: f, screen: o.Screen, rules: map[string]*ruleCount{}}, nil
}

// totals is a sink that counts findings by rule.
type totals struct {
	audit.Result
	to     io.Writer
	format Format
	screen terminal.Screen
	rules  map[string]*ruleCount
}

// ruleCount counts the findings of a rule. Those of one object come one after another.
type ruleCount struct {
	RuleTotal
	last place
}

// place is where an object stands, as well as that is known.
type place struct {
	object finding.Object
	file   string
}

func (t *totals) of(rule string) *ruleCount {
	if t.rules[rule] == nil {
		t.rules[rule] = &ruleCount{RuleTotal: RuleTotal{Rule: rule}}
	}
	return t.rules[rule]
}

// Found counts a finding.
func (t *totals) Found(f finding.Finding) error {
	c := t.of(f.Rule)
	if f.Patched {
		c.Patched++
	} else {
		c.Findings.Count(f.Level)
	}
	if at := (place{f.Object, f.Source.File}); at != c.last {
		c.Objects++
		c.last = at
	}
	if len(f.Patch) > 0 {
		c.Repairs++
	} else if len(f.Suggestion) > 0 {
		c.Suggestions++
	}
	return nil
}

// FoundIgnored counts and keeps a finding that is ignored.
func (t *totals) FoundIgnored(i finding.Ignored) error {
	t.of(i.Rule).Ignored++
	return t.Result.FoundIgnored(i)
}

// Done writes what it comes to.
func (t *totals) Done(sum audit.Summary) error {
	all := Totals{
		APIVersion: APIVersion, Kind: totalsKind, Rules: t.sorted(),
		Ignored: orEmpty(t.Ignored), Warnings: orEmpty(t.Warnings), Errors: []Error{}, Summary: sum,
	}
	for _, e := range t.Errors {
		all.Errors = append(all.Errors, newError(e))
	}
	switch t.format {
	case JSON:
		return wrapped(Indented(t.to, all))
	case YAML:
		text, err := yaml.Marshal(all)
		if err == nil {
			_, err = t.to.Write(text)
		}
		return wrapped(err)
	default:
		_, err := io.WriteString(t.to, t.table(all))
		return wrapped(err)
	}
}

func orEmpty[T any](items []T) []T {
	if items == nil {
		return []T{}
	}
	return items
}

func (t *totals) sorted() []RuleTotal {
	all := make([]RuleTotal, 0, len(t.rules))
	for _, c := range t.rules {
		all = append(all, c.RuleTotal)
	}
	slices.SortFunc(all, func(a, b RuleTotal) int {
		return cmp.Or(
			b.Findings.Deny-a.Findings.Deny, b.Findings.Warn-a.Findings.Warn, b.Findings.Audit-a.Findings.Audit,
			strings.Compare(a.Rule, b.Rule),
		)
	})
	return all
}

// column is a number that is shown of each rule.
type column struct {
	name   string
	of     func(RuleTotal) int
	colour terminal.Colour
	// always is set for the columns that are shown even if no rule has the number.
	always bool
}

func columns() []column {
	return []column{
		{name: "DENY", of: func(r RuleTotal) int { return r.Findings.Deny }, colour: terminal.Red, always: true},
		{name: "WARN", of: func(r RuleTotal) int { return r.Findings.Warn }, colour: terminal.Yellow, always: true},
		{name: "AUDIT", of: func(r RuleTotal) int { return r.Findings.Audit }, colour: terminal.Cyan, always: true},
		{name: "PATCHED", of: func(r RuleTotal) int { return r.Patched }, colour: terminal.Green},
		{name: "OBJECTS", of: func(r RuleTotal) int { return r.Objects }, always: true},
		{name: "REPAIRED", of: func(r RuleTotal) int { return r.Repairs }},
		{name: "SUGGESTED", of: func(r RuleTotal) int { return r.Suggestions }},
		{name: "IGNORED", of: func(r RuleTotal) int { return r.Ignored }},
	}
}

func (t *totals) table(all Totals) string {
	var b strings.Builder
	if len(all.Rules) > 0 {
		t.numbers(&b, all.Rules)
		b.WriteByte('\n')
	}
	t.behind().show(&b, t.screen)
	b.WriteString(comesToFor(all.Summary, t.screen))
	b.WriteString(t.screen.Wrap(fixable(all.Rules)))
	return b.String()
}

// numbers writes a row for each rule, without the columns that nobody needs, so that it fits a narrow screen.
func (t *totals) numbers(b *strings.Builder, rules []RuleTotal) {
	heads, rows := []terminal.Column{{Name: "RULE"}}, make([]terminal.Row, len(rules))
	for i, r := range rules {
		rows[i] = terminal.Row{{Text: r.Rule}}
	}
	for _, c := range columns() {
		if !c.always && !slices.ContainsFunc(rules, func(r RuleTotal) bool { return c.of(r) > 0 }) {
			continue
		}
		heads = append(heads, terminal.Column{Name: c.name})
		for i, r := range rules {
			rows[i] = append(rows[i], counted(c.of(r), c.colour))
		}
	}
	terminal.NewTable(t.screen, heads...).Write(b, rows)
}

// behind is what stands behind the counts.
func (t *totals) behind() *aside {
	var a aside
	for _, i := range t.Ignored {
		a.ignore(i)
	}
	for _, w := range t.Warnings {
		a.warn(w)
	}
	for _, e := range t.Errors {
		a.fail(e)
	}
	return &a
}

// fixable says how many findings forestall fix takes away.
func fixable(rules []RuleTotal) string {
	repairs, suggestions := 0, 0
	for _, r := range rules {
		repairs, suggestions = repairs+r.Repairs, suggestions+r.Suggestions
	}
	switch {
	case repairs+suggestions == 0:
		return ""
	case suggestions == 0:
		return fmt.Sprintf("Repaired by 'forestall fix': %d\n", repairs)
	}
	return fmt.Sprintf("Repaired by 'forestall fix': %d, and %d more with --apply-suggestions\n", repairs, suggestions)
}

// counted is a number that is easy to overlook where it is 0.
func counted(n int, c terminal.Colour) terminal.Span {
	if n == 0 {
		return terminal.Span{Text: "-"}
	}
	return terminal.Span{Text: strconv.Itoa(n), Colour: c}
}
