package html

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"slices"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/finding"
)

// maxBars bounds the rows of a chart. The last one stands for all that is left.
const maxBars = 10

// chart is a table with a bar in each row.
type chart struct {
	ID, Title string
	// Head is the head of the first column.
	Head string
	// Kinds are the parts of bars, in their order.
	Kinds []string
	Bars  []bar
	// More is how many rows the last one stands for; 0 where there is none.
	More int
}

// bar is a row of a chart.
type bar struct {
	Name string
	// Link is a fragment that filters the findings; empty where there is none.
	Link  string
	Parts []part
	Total int
}

// part is one colour of a bar. X and Width are hundredths of the longest bar.
type part struct {
	Kind     string
	Count    int
	X, Width string
}

// levelKinds are what findings are counted by.
func levelKinds() []string { return []string{"deny", "warn", "audit", "patched"} }

func kindOf(f *finding.Finding) string {
	if f.Patched {
		return "patched"
	}
	return string(f.Level)
}

// byRule counts the findings by rule; nil where there are none.
func byRule(r *audit.Result) *chart {
	t := tally{}
	for i := range r.Findings {
		t.add(r.Findings[i].Rule, kindOf(&r.Findings[i]))
	}
	if len(t) == 0 {
		return nil
	}
	return t.chart(chart{ID: "by-rule", Title: "Findings by rule", Head: "Rule"}, "rule", "")
}

// byNamespace counts the findings by namespace; nil where no object names one.
func byNamespace(r *audit.Result) *chart {
	t := tally{}
	for i := range r.Findings {
		t.add(r.Findings[i].Object.Namespace, kindOf(&r.Findings[i]))
	}
	if len(t) == 0 || len(t) == 1 && t[""] != nil {
		return nil
	}
	return t.chart(chart{ID: "by-namespace", Title: "Findings by namespace", Head: "Namespace"}, "namespace", "(none written)")
}

// tally counts by name and kind.
type tally map[string]map[string]int

func (t tally) add(name, kind string) {
	if t[name] == nil {
		t[name] = map[string]int{}
	}
	t[name][kind]++
}

// chart draws the rows, the one with most at the strongest level first, and the last ones as one.
func (t tally) chart(c chart, field, unnamed string) *chart {
	names := t.names()
	rest := map[string]int{}
	if len(names) > maxBars {
		c.More = len(names) - maxBars + 1
		for _, name := range names[maxBars-1:] {
			for kind, n := range t[name] {
				rest[kind] += n
			}
		}
		names = names[:maxBars-1]
	}
	used := map[string]bool{}
	for _, name := range names {
		c.Bars = append(c.Bars, newBar(cmp.Or(name, unnamed), "#"+url.Values{field: {name}}.Encode(), t[name], used))
	}
	if c.More > 0 {
		c.Bars = append(c.Bars, newBar(fmt.Sprintf("%s others", number(c.More)), "", rest, used))
	}
	for _, kind := range levelKinds() {
		if used[kind] {
			c.Kinds = append(c.Kinds, kind)
		}
	}
	c.scale()
	return &c
}

// names are in the order in which they are shown.
func (t tally) names() []string {
	return slices.SortedFunc(maps.Keys(t), func(a, b string) int {
		for _, kind := range levelKinds() {
			if by := cmp.Compare(t[b][kind], t[a][kind]); by != 0 {
				return by
			}
		}
		return cmp.Compare(a, b)
	})
}

func newBar(name, link string, counts map[string]int, used map[string]bool) bar {
	b := bar{Name: name, Link: link}
	for _, kind := range levelKinds() {
		if n := counts[kind]; n > 0 {
			used[kind] = true
			b.Total += n
			b.Parts = append(b.Parts, part{Kind: kind, Count: n})
		}
	}
	return b
}

// scale gives the parts their places. The row of the others has no bar: it would be longer than all.
func (c *chart) scale() {
	longest := 0
	for _, b := range c.Bars {
		if b.Link != "" {
			longest = max(longest, b.Total)
		}
	}
	for _, b := range c.Bars {
		if b.Link == "" {
			continue
		}
		x := 0
		for i := range b.Parts {
			p := &b.Parts[i]
			p.X, p.Width = hundredths(x, longest), hundredths(p.Count, longest)
			x += p.Count
		}
	}
}

func hundredths(n, of int) string {
	if of == 0 {
		return "0"
	}
	return fmt.Sprintf("%.2f", 100*float64(n)/float64(of))
}

// Of is how many of a kind are in the bar.
func (b bar) Of(kind string) int {
	for _, p := range b.Parts {
		if p.Kind == kind {
			return p.Count
		}
	}
	return 0
}

// confirmed is how often a rule's predictions have come true in the cluster.
type confirmed struct {
	audit.RuleEvidence
	Link string
	// Width is the share that happens, in hundredths.
	Width string
}

// confirmations are the rules with something that runs, the most often confirmed first.
type confirmations struct {
	First, Others []confirmed
}

// Count is how many rules there are.
func (c confirmations) Count() int { return len(c.First) + len(c.Others) }

// firstConfirmed is how many rules are seen without asking.
const firstConfirmed = 6

func confirmationsOf(c *audit.Cluster) confirmations {
	if c == nil {
		return confirmations{}
	}
	var all []confirmed
	for _, e := range c.Rules {
		if e.Findings > 0 {
			all = append(all, confirmed{
				RuleEvidence: e, Link: "#" + url.Values{"rule": {e.Rule}}.Encode(), Width: hundredths(e.Happening, e.Findings),
			})
		}
	}
	slices.SortStableFunc(all, func(a, b confirmed) int {
		return cmp.Or(cmp.Compare(b.Happening, a.Happening), cmp.Compare(b.Findings, a.Findings), cmp.Compare(a.Rule, b.Rule))
	})
	n := min(len(all), firstConfirmed)
	return confirmations{First: all[:n], Others: all[n:]}
}
