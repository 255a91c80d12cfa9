package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/forestall/forestall/internal/terminal"
)

// markdownTail is the room that is kept for what must come last: that something was left out, and the end of a list.
const markdownTail = 600

// markdownPage is text that grows while there is room.
type markdownPage struct {
	text strings.Builder
	room int
	// left is set once something has found no room.
	left bool
}

// add writes a text if there is room for it.
func (p *markdownPage) add(text string) { p.within(text, p.room-markdownTail) }

// within writes a text if it is not longer than it may be.
func (p *markdownPage) within(text string, most int) bool {
	if len(text) > min(most, p.room-markdownTail) {
		p.left = true
		return false
	}
	p.text.WriteString(text)
	p.room -= len(text)
	return true
}

// table writes a row for each rule.
func (p *markdownPage) table(rules []*markdownRule, titles map[string]string) {
	if len(rules) == 0 {
		return
	}
	p.add("| rule | deny | warn | audit | patched | |\n|---|--:|--:|--:|--:|---|\n")
	end := p.room / 2 // the other half is for what was found
	for i, r := range rules {
		row := fmt.Sprintf("| [%s](%s) | %d | %d | %d | %d | %s |\n",
			prose(r.rule), pageOf(r.rule), r.levels.Deny, r.levels.Warn, r.levels.Audit, r.patched, prose(titles[r.rule]))
		if !p.within(row, p.room-end) {
			p.add(fmt.Sprintf("| and %d more | | | | | |\n", len(rules)-i))
			break
		}
	}
	p.add("\n")
}

// found writes the findings of the rules. A rule that needs less than its share of the room leaves the rest to the others.
func (p *markdownPage) found(rules []*markdownRule) {
	sizes := make([]int, len(rules))
	for i, r := range rules {
		sizes[i] = r.list.size + len(foldHead(ruleTitle(r))) + foldMost
	}
	most := max(leastFold, share(sizes, p.room-markdownTail)) // rather some rules with findings than all without
	for i, r := range rules {
		p.fold(ruleTitle(r), r.list, min(most, sizes[i], p.room-markdownTail))
	}
}

func ruleTitle(r *markdownRule) string { return r.rule + ": " + count(r.list.all, "finding") }

// share is how much each may take at most, so that all together take no more than the room.
func share(sizes []int, room int) int {
	sorted := slices.Sorted(slices.Values(sizes))
	for i, size := range sorted {
		if even := room / (len(sorted) - i); size > even {
			return even
		}
		room -= size
	}
	return maxComment
}

// folded writes a list behind a heading that opens it.
func (p *markdownPage) folded(title string, l markdownList) {
	p.fold(fmt.Sprintf("%s: %d", title, l.all), l, p.room-markdownTail)
}

const (
	// leastFold is room for a heading and the first findings below it.
	leastFold = 4000
	foldEnd   = "\n</details>\n\n"
	// foldMost is the longest line on what a list leaves out.
	foldMost = len("- and 9223372036854775807 more\n") + len(foldEnd)
)

func foldHead(title string) string { return "<details><summary>" + prose(title) + "</summary>\n\n" }

func (p *markdownPage) fold(title string, l markdownList, most int) {
	if l.all == 0 {
		return
	}
	head := foldHead(title)
	end := p.room - most
	if most < len(head)+foldMost || !p.within(head, most) {
		p.left = true
		return
	}
	p.items(l, func() int { return p.room - end - foldMost })
	p.text.WriteString(foldEnd)
	p.room -= len(foldEnd)
}

// section writes a list that is not folded.
func (p *markdownPage) section(title, about string, l markdownList) {
	if l.all == 0 {
		return
	}
	p.add("### " + title + "\n\n" + about + "\n\n")
	end := p.room / 2
	p.items(l, func() int { return p.room - end })
	p.add("\n")
}

// items writes as many items of a list as there is room for, and how many more there are.
func (p *markdownPage) items(l markdownList, room func() int) {
	shown := 0
	for _, item := range l.items {
		if !p.within(item, room()) {
			break
		}
		shown++
	}
	if more := l.all - shown; more > 0 {
		p.left = true
		text := fmt.Sprintf("- and %d more\n", more)
		p.text.WriteString(text) // its room was kept
		p.room -= len(text)
	}
}

// end says that something was left out.
func (p *markdownPage) end() {
	if p.left {
		p.text.WriteString("A comment has no room for everything: `forestall audit` shows the rest.\n")
	}
}

// prose writes a text so that Markdown has nothing to find in it, and GitHub no one to call: marks are written as entities, which
// never form markup (https://spec.commonmark.org/0.31.2/#entity-and-numeric-character-references), and a space without width
// stands behind what begins a mention or the number of an issue. It must not begin a line.
func prose(text string) string {
	var b strings.Builder
	text = terminal.Printable(text)
	for i, r := range text {
		switch {
		case r == '@' || r == '#':
			fmt.Fprintf(&b, "&#%d;&#8203;", r)
		case strings.ContainsRune("\\`*_[]<>&|~$", r), linking(text, i):
			fmt.Fprintf(&b, "&#%d;", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// linking reports whether the mark at i makes an address of the text around it: http://, www.
func linking(text string, i int) bool {
	return strings.HasPrefix(text[i:], ":/") || text[i] == '.' && i > 0 && (text[i-1] == 'w' || text[i-1] == 'W')
}

// code writes a text as prose in the letters of code.
func code(text string) string { return "<code>" + prose(text) + "</code>" }
