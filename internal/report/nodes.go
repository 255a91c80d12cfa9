package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/terminal"
)

// clusterPart is what a table says of a running cluster behind its findings: its nodes, and how often each rule was right.
func clusterPart(b *strings.Builder, s terminal.Screen, c *audit.Cluster) {
	nodes(b, s, c.Nodes)
	confirmations(b, s, c.Rules)
}

// nodes writes the nodes that are in trouble, and those whose memory limits add up to more than they have.
func nodes(b *strings.Builder, s terminal.Screen, all []audit.Node) {
	var rows []terminal.Row
	for _, n := range all {
		if !n.InTrouble() && !n.Overcommitted() {
			continue
		}
		limits := terminal.Span{Text: fmt.Sprintf("%s of %s", memory(n.Limits), memory(n.Memory))}
		if n.Overcommitted() {
			limits.Text += fmt.Sprintf(" (%d%%)", n.Limits*100/max(n.Memory, 1))
			limits.Colour = terminal.Yellow
		}
		rows = append(rows, terminal.Row{{Text: n.Name}, state(n), {Text: fmt.Sprint(n.Pods)}, {Text: fmt.Sprint(n.Unlimited)}, limits})
	}
	if len(rows) > 0 {
		terminal.NewTable(s, terminal.Column{Name: "NODE"}, terminal.Column{Name: "STATE", Least: terminal.Readable}, terminal.Column{Name: "PODS"},
			terminal.Column{Name: "WITHOUT LIMIT"}, terminal.Column{Name: "MEMORY LIMITS"}).Write(b, rows)
	}
	switch rest := len(all) - len(rows); {
	case rest == 0:
	case len(rows) == 0:
		fmt.Fprintf(b, "%s: none in trouble, none with more memory limits than memory\n", count(rest, "node"))
	case rest == 1:
		b.WriteString("1 other node is fine\n")
	default:
		fmt.Fprintf(b, "%d other nodes are fine\n", rest)
	}
	if len(all) > 0 {
		b.WriteByte('\n')
	}
}

// state is how a node is, in the words of the API.
func state(n audit.Node) terminal.Span {
	var parts []string
	if !n.Ready {
		parts = append(parts, "NotReady since "+n.ReadySince.UTC().Format("2006-01-02 15:04"))
	}
	if n.Flaps > 0 {
		parts = append(parts, fmt.Sprintf("NotReady %s in the events", times(n.Flaps)))
	}
	if n.SystemOOMs > 0 {
		parts = append(parts, fmt.Sprintf("out of memory %s in the events", times(n.SystemOOMs)))
	}
	if parts = append(parts, n.Pressure...); len(parts) == 0 {
		return terminal.Span{Text: "Ready"}
	}
	return terminal.Span{Text: strings.Join(parts, ", "), Colour: terminal.Red}
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// memory is an amount as people write it, to three digits.
func memory(n int64) string {
	value, unit := float64(n), ""
	for _, next := range []string{"Ki", "Mi", "Gi", "Ti"} {
		if value < 1024 {
			break
		}
		value, unit = value/1024, next
	}
	return strings.TrimSuffix(fmt.Sprintf("%.1f", value), ".0") + unit
}

// confirmations writes of each rule that found something how much of that happens, the surest first.
func confirmations(b *strings.Builder, s terminal.Screen, rules []audit.RuleEvidence) {
	rules = slices.Clone(rules)
	slices.SortStableFunc(rules, func(x, y audit.RuleEvidence) int { return y.Happening - x.Happening })
	var rows []terminal.Row
	for _, r := range rules {
		if r.Happening == 0 {
			continue
		}
		verb := "are"
		if r.Happening == 1 {
			verb = "is"
		}
		rows = append(rows, terminal.Row{{Text: r.Rule}, {Text: fmt.Sprintf("%d of %d %s happening", r.Happening, r.Findings, verb)}})
	}
	if len(rows) == 0 {
		return
	}
	terminal.NewTable(s, terminal.Column{Name: "RULE"}, terminal.Column{Name: "CONFIRMED HERE"}).Write(b, rows)
	b.WriteByte('\n')
}
