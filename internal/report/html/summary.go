package html

import (
	"fmt"
	"strings"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/terminal"
)

// counts are what the first screen tells.
type counts struct {
	*audit.Result
	// refused, failing and unpredicted are objects: that would be refused, that fail as predicted, that fail
	// without a prediction.
	refused, failing, unpredicted int
	// happening is how many findings the cluster reports already.
	happening int
	// observed is set where a running cluster was asked for what fails in it, and has said something.
	observed bool
	// refusing are the objects that each rule would have refused.
	refusing map[string]int
}

func counted(r *audit.Result) counts {
	c := counts{Result: r, refusing: map[string]int{}}
	by := map[string]map[place]bool{}
	refused, failing, unpredicted := map[place]bool{}, map[place]bool{}, map[place]bool{}
	for i := range r.Findings {
		f := &r.Findings[i]
		at := place{f.Object, f.Source.File}
		if f.Level == finding.Deny && !f.Patched {
			refused[at] = true
			if by[f.Rule] == nil {
				by[f.Rule] = map[place]bool{}
			}
			by[f.Rule][at] = true
		}
		c.observed = c.observed || f.Status != ""
		if f.Status == finding.Happening {
			failing[at] = true
			c.happening++
		}
	}
	for i := range r.Troubles {
		unpredicted[place{object: r.Troubles[i].Object}] = true
	}
	c.observed = c.observed || len(r.Troubles) > 0 || r.Cluster != nil && len(r.Cluster.Nodes)+len(r.Cluster.Rules) > 0
	for rule, objects := range by {
		c.refusing[rule] = len(objects)
	}
	c.refused, c.failing, c.unpredicted = len(refused), len(failing), len(unpredicted)
	return c
}

// place tells objects apart that have the same name in different files.
type place struct {
	object finding.Object
	file   string
}

// verdict is what a person should know first, in sentences. It says nothing of what was not looked at, or is not told.
func (c counts) verdict() []string {
	var told []string
	if now := c.failingNow(); now != "" {
		told = append(told, now)
	}
	told = append(told, c.admission())
	if e := c.Baseline; e != nil {
		told = append(told, fmt.Sprintf("Only what is new is told: %s holds %s more.", terminal.Printable(e.File), number(e.Known())))
	}
	return append(told, assumed(c.Assumed)...)
}

// failingNow says what a running cluster reports; empty where that is not known.
func (c counts) failingNow() string {
	fail := func(n int) string { return verb(n, "object fails now", "objects fail now") }
	switch {
	case !c.observed:
		return ""
	case c.failing > 0 && c.unpredicted > 0:
		return fmt.Sprintf("%s as predicted, %s without a prediction.", fail(c.failing), number(c.unpredicted))
	case c.failing > 0:
		return fail(c.failing) + ", as predicted."
	case c.unpredicted > 0:
		return fail(c.unpredicted) + ", without a prediction."
	case c.all():
		return "Nothing is seen to fail now."
	}
	return ""
}

// admission says what would become of the objects, if they were created now.
func (c counts) admission() string {
	switch {
	case c.refused > 0:
		return c.refusedWhy()
	case !whole(c.Result):
		return "No object would be refused, as far as could be judged."
	case c.Judged == 0:
		return "Nothing was there to be judged."
	case c.Baseline != nil:
		return "No object would be refused for something new."
	case c.all() && len(c.Findings)+len(c.Troubles) == 0:
		return "Nothing was found."
	}
	return "No object would be refused."
}

// all reports whether the page tells all that there is to tell.
func (c counts) all() bool { return whole(c.Result) && c.NotShown == 0 && c.Baseline == nil }

// assumed says what a mode would do that is not in force.
func assumed(a *audit.Assumed) []string {
	switch {
	case a == nil:
		return nil
	case a.Patched > 0:
		return []string{fmt.Sprintf("With mode %s: %s would be denied, and %s repaired.", terminal.Printable(a.As), count(a.Denied, "object"), number(a.Patched))}
	default:
		return []string{fmt.Sprintf("With mode %s: %s would be denied.", terminal.Printable(a.As), count(a.Denied, "object"))}
	}
}

// refusedWhy says how many objects would be refused, and names the rule that refuses most of them.
func (c counts) refusedWhy() string {
	text := fmt.Sprintf("%s of %s would be refused", number(c.refused), count(c.Judged, "judged object"))
	if c.Baseline != nil {
		text += " for something new"
	}
	top := ""
	for rule, n := range c.refusing {
		if top == "" || n > c.refusing[top] || n == c.refusing[top] && rule < top {
			top = rule
		}
	}
	switch n := c.refusing[top]; {
	case c.refused < fewRefused || 2*n <= c.refused:
		return text + "."
	case n == c.refused:
		return text + ", all of them by " + terminal.Printable(top) + "."
	default:
		return fmt.Sprintf("%s, %s of them by %s.", text, number(n), terminal.Printable(top))
	}
}

// fewRefused objects need no word on which rule refuses most of them.
const fewRefused = 5

// unfinished says why what is not in the page need not be well.
func unfinished(r *audit.Result) []string {
	var why []string
	if n := max(len(r.Errors), r.Summary.Errors); n > 0 {
		why = append(why, verb(n, "error: something could not be read or judged.", "errors: something could not be read or judged."))
	}
	if r.Cluster != nil {
		for _, u := range r.Cluster.Unread {
			why = append(why, "not read, so that less is known: "+u+".")
		}
	}
	return why
}

// title says what was audited.
func title(r *audit.Result) string {
	if r.Cluster == nil {
		return "Audit of " + count(r.Files, "file")
	}
	for _, name := range []string{r.Cluster.Name, r.Cluster.Context, r.Cluster.Server} {
		if name != "" {
			return "Audit of cluster " + name
		}
	}
	return "Audit of a cluster"
}

// about lists what was audited, and how much of it.
func about(r *audit.Result) []fact {
	var all []fact
	add := func(name, value string) {
		if value != "" {
			all = append(all, fact{name, value})
		}
	}
	if c := r.Cluster; c != nil {
		add("Context", c.Context)
		add("API server", strings.TrimSpace(c.Server+" "+c.Version))
		add("Namespaces", strings.Join(c.Namespaces, ", "))
		add("Selector", c.Selector)
		add("As if the mode were", c.As)
	}
	if r.Files > 0 {
		add("Files", number(r.Files))
	}
	add("Folder", folder(r))
	add("Objects", number(r.Objects)+", "+number(r.Judged)+" judged")
	if r.Cluster != nil {
		add("Pods", number(r.Cluster.Pods))
	}
	if r.Skipped > 0 {
		add("Skipped", count(r.Skipped, "document")+" without apiVersion and kind")
	}
	if r.NotShown > 0 {
		add("Not shown", count(r.NotShown, "finding")+" below the lowest level that was asked for")
	}
	if e := r.Baseline; e != nil {
		add("Left out", fmt.Sprintf("%s that %s holds; it holds %s more that are gone", number(e.Known()), e.File, number(e.Gone)))
	}
	return all
}

// tile is a number of the first screen. It is a link that filters the findings.
type tile struct {
	// Kind is the colour.
	Kind  string
	Count int
	Name  string
	// Note says in words what the number means.
	Note string
	// Link is a fragment of the page.
	Link string
}

func (c counts) tiles() []tile {
	var all []tile
	if c.observed {
		all = append(all,
			tile{"happening", c.happening, "happening", "predicted, and the cluster reports the failure", "#status=happening"},
			tile{"unpredicted", len(c.Troubles), "not predicted", "fails, and no rule predicts it", "#status=unpredicted"})
	}
	levels := c.Summary.Findings
	all = append(all,
		tile{"deny", levels.Deny, "deny", "would be refused", "#level=deny"},
		tile{"warn", levels.Warn, "warn", "admitted with a warning", "#level=warn"},
		tile{"audit", levels.Audit, "audit", "only reported", "#level=audit"})
	if c.Patched > 0 {
		all = append(all, tile{"patched", c.Patched, "patched", "repaired at admission", "#level=patched"})
	}
	return all
}
