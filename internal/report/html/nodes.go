package html

import (
	"fmt"
	"strings"

	"github.com/forestall/forestall/internal/audit"
)

const (
	// maxNodes bounds the nodes that are shown. Those in trouble come first.
	maxNodes = 500
	// firstNodes is how many of those in trouble are seen without asking.
	firstNodes = 6
	// fullBar is the share of its memory, in hundredths, at which the bar of a node ends.
	fullBar = 200
)

// nodes are the nodes of a cluster, with what the memory limits of their pods add up to.
type nodes struct {
	All, Overcommitted, NotReady, Pressed, Starved int
	First, Others                                  []node
	// More is how many are not shown.
	More int
}

// node is one row.
type node struct {
	audit.Node
	// State in words, and Bad where it should not be so.
	State string
	Bad   bool
	// Limits and Memory for people, and Share of the first in the second.
	LimitsText, MemoryText, Share string
	// Within and Beyond are the parts of the bar within the memory of the node and beyond it, of fullBar.
	Within, Beyond float64
	// Cut is set where the bar would be longer.
	Cut bool
}

func nodesOf(c *audit.Cluster) *nodes {
	if c == nil || len(c.Nodes) == 0 {
		return nil
	}
	n := nodes{All: len(c.Nodes)}
	for _, one := range c.Nodes {
		n.count(one)
	}
	shown := c.Nodes[:min(len(c.Nodes), maxNodes)]
	n.More = len(c.Nodes) - len(shown)
	for _, one := range shown {
		if row := nodeOf(one); len(n.First) < firstNodes && (row.Bad || row.Overcommitted()) {
			n.First = append(n.First, row)
		} else {
			n.Others = append(n.Others, row)
		}
	}
	return &n
}

func (n *nodes) count(one audit.Node) {
	for _, c := range []struct {
		of  *int
		has bool
	}{
		{&n.Overcommitted, one.Overcommitted()},
		{&n.NotReady, !one.Ready},
		{&n.Pressed, len(one.Pressure) > 0},
		{&n.Starved, one.SystemOOMs > 0},
	} {
		if c.has {
			*c.of++
		}
	}
}

func nodeOf(a audit.Node) node {
	n := node{Node: a, LimitsText: memory(a.Limits), MemoryText: memory(a.Memory), Share: "–"}
	var states []string
	if !a.Ready {
		since := ""
		if !a.ReadySince.IsZero() {
			since = " since " + a.ReadySince.UTC().Format("2006-01-02 15:04 UTC")
		}
		states = append(states, "NotReady"+since)
	}
	states = append(states, a.Pressure...)
	if a.Flaps > 0 {
		states = append(states, fmt.Sprintf("was NotReady %s", count(a.Flaps, "time")))
	}
	if a.SystemOOMs > 0 {
		states = append(states, fmt.Sprintf("the kernel killed %s for want of memory", verb(a.SystemOOMs, "process", "processes")))
	}
	n.Bad = len(states) > 0
	n.State = strings.Join(states, ", ")
	if !n.Bad {
		n.State = "Ready"
	}
	if a.Memory > 0 {
		share := 100 * float64(a.Limits) / float64(a.Memory)
		n.Share = fmt.Sprintf("%.0f%%", share)
		n.Cut = share > fullBar
		n.Within, n.Beyond = min(share, 100), max(min(share, fullBar)-100, 0)
	}
	return n
}

// memory is an amount of memory for people, to a tenth.
func memory(n int64) string {
	const units = "KMGTPE"
	if n < 1<<10 {
		return fmt.Sprintf("%d B", n)
	}
	v, unit := float64(n)/(1<<10), 0
	for v >= 1<<10 && unit < len(units)-1 {
		v, unit = v/(1<<10), unit+1
	}
	return strings.TrimSuffix(fmt.Sprintf("%.1f", v), ".0") + " " + string(units[unit]) + "i"
}
