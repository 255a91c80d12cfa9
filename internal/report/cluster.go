package report

import (
	"fmt"
	"strings"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/terminal"
)

// clusterLine names the cluster that was audited; empty where none was.
func clusterLine(c *audit.Cluster) string {
	if c == nil {
		return ""
	}
	var about []string
	if c.Context != "" {
		about = append(about, "context "+c.Context)
	}
	if c.Version != "" {
		about = append(about, "Kubernetes "+c.Version)
	}
	switch len(c.Namespaces) {
	case 0:
	case 1:
		about = append(about, "namespace "+c.Namespaces[0])
	default:
		about = append(about, "namespaces "+strings.Join(c.Namespaces, ", "))
	}
	if c.Selector != "" {
		about = append(about, "objects with "+c.Selector)
	}
	if len(about) == 0 {
		return fmt.Sprintf("cluster %s: ", c.Name)
	}
	return fmt.Sprintf("cluster %s (%s): ", c.Name, strings.Join(about, ", "))
}

// comesTo is the summary in lines: what was audited and what it comes to, what an assumed mode would do, and what could
// not be read.
func comesTo(s audit.Summary) []string {
	all := []string{clusterLine(s.Cluster) + line(s)}
	if a := s.Assumed; a != nil {
		text := fmt.Sprintf("With mode %s: %s would be denied", a.As, count(a.Denied, "object"))
		if a.Patched > 0 {
			text += fmt.Sprintf(", and %d repaired", a.Patched)
		}
		all = append(all, text)
	}
	if s.Cluster != nil && len(s.Cluster.Unread) > 0 {
		all = append(all, "Not read, so that less is known: "+strings.Join(s.Cluster.Unread, ", "))
	}
	return all
}

// comesToFor is the same, laid out for a screen.
func comesToFor(s audit.Summary, screen terminal.Screen) string {
	var b strings.Builder
	for _, text := range comesTo(s) {
		b.WriteString(screen.Wrap(terminal.Printable(text) + "\n"))
	}
	return b.String()
}
