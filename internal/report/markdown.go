package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/finding"
)

// maxComment is how long a comment on GitHub may be. It counts characters; bytes are never fewer.
const maxComment = 65536

// markdown is a sink that makes a comment for a pull request. It keeps no more of a rule than fits into a comment.
type markdown struct {
	to      io.Writer
	titles  map[string]string
	rules   map[string]*markdownRule
	ignored markdownList
	trouble markdownList
	warned  markdownList
	failed  markdownList
}

// markdownRule is what was found by one rule.
type markdownRule struct {
	rule      string
	levels    audit.Levels
	patched   int
	certainty finding.Certainty
	failure   string
	list      markdownList
}

// markdownList is a list of which as much is kept as can be shown.
type markdownList struct {
	items []string
	size  int
	// all counts also what was not kept.
	all int
}

func (l *markdownList) add(item string) {
	l.all++
	if l.size+len(item) <= maxComment {
		l.size += len(item)
		l.items = append(l.items, item)
	}
}

func newMarkdown(w io.Writer, o Options) *markdown {
	m := &markdown{to: w, titles: map[string]string{}, rules: map[string]*markdownRule{}}
	for _, r := range o.Rules {
		m.titles[r.ID] = r.Title
	}
	return m
}

// Found counts a finding and keeps its item.
func (m *markdown) Found(f finding.Finding) error {
	r := m.rules[f.Rule]
	if r == nil {
		r = &markdownRule{rule: f.Rule, certainty: f.Certainty, failure: f.Failure}
		m.rules[f.Rule] = r
	}
	if f.Patched {
		r.patched++
	} else {
		r.levels.Count(f.Level)
	}
	r.list.add(markdownItem(&f))
	return nil
}

// FoundIgnored keeps an item.
func (m *markdown) FoundIgnored(i finding.Ignored) error {
	m.ignored.add("- " + code(i.Rule) + " " + code(about(i.Finding)) + ": " + prose(i.IgnoreReason) + "\n")
	return nil
}

// FoundTrouble keeps an item.
func (m *markdown) FoundTrouble(t finding.Trouble) error {
	m.trouble.add("- " + code(objectName(t.Object, t.Container)) + ": " + prose(strings.TrimSpace(t.Reason+". "+t.Known)) + "\n")
	return nil
}

// Warned keeps an item.
func (m *markdown) Warned(w audit.Warning) error {
	m.warned.add("- " + code(w.Source.String()) + ": " + prose(w.Message) + "\n")
	return nil
}

// Failed keeps an item.
func (m *markdown) Failed(e audit.Error) error {
	m.failed.add("- " + code(e.Source.String()) + ": " + prose(e.Err.Error()) + "\n")
	return nil
}

// markdownItem is a finding as an item of a list.
func markdownItem(f *finding.Finding) string {
	mark := string(f.Level)
	if f.Patched {
		mark = "patched"
	}
	at := ""
	if f.Source.File != "" {
		at = " in " + code(f.Source.String())
	}
	item := fmt.Sprintf("- **%s** %s%s<br>%s\n", mark, code(about(*f)), at, prose(short(f.Reason)))
	if text := seen(f); text != "" {
		item += "  <br>seen: " + prose(text) + "\n"
	}
	if f.Fix != "" {
		item += "  <br>fix: " + prose(short(f.Fix)) + "\n"
	}
	return item
}

// short cuts a text that would take the room of others.
func short(text string) string {
	const most = 400
	if n := 0; len(text) > most {
		for i := range text {
			if n++; n == most {
				return text[:i] + "…"
			}
		}
	}
	return text
}

// Done writes the comment.
func (m *markdown) Done(s audit.Summary) error {
	_, err := io.WriteString(m.to, m.comment(s))
	return wrapped(err)
}

func (m *markdown) comment(s audit.Summary) string {
	rules := m.sorted()
	p := markdownPage{room: maxComment}
	p.add("## forestall\n\n" + headline(s) + "\n\n")
	p.section("Not judged", "Something could not be read or judged, so this is not all:", m.failed)
	p.table(rules, m.titles)
	p.found(rules)
	p.folded("Failing without a prediction", m.trouble)
	p.folded("Ignored", m.ignored)
	p.folded("Warnings about the input", m.warned)
	p.end()
	return p.text.String()
}

// headline is the summary, beginning with what it comes to.
func headline(s audit.Summary) string {
	verdict := "Nothing is predicted to fail."
	switch {
	case s.Errors > 0:
		verdict = "**Not everything could be judged.**"
	case s.Findings.Deny > 0:
		verdict = fmt.Sprintf("**%s would be denied.**", count(s.Findings.Deny, "finding"))
	case s.Findings != (audit.Levels{}):
		verdict = "Nothing would be denied."
	}
	lines := comesTo(s)
	for i := range lines {
		lines[i] = prose(lines[i])
	}
	return verdict + " " + strings.Join(lines, "\n\n")
}

func (m *markdown) sorted() []*markdownRule {
	all := make([]*markdownRule, 0, len(m.rules))
	for _, r := range m.rules {
		all = append(all, r)
	}
	slices.SortFunc(all, func(a, b *markdownRule) int {
		return cmp.Or(
			b.levels.Deny-a.levels.Deny, b.levels.Warn-a.levels.Warn, b.levels.Audit-a.levels.Audit, cmp.Compare(a.rule, b.rule),
		)
	})
	return all
}
