package terminal

import (
	"regexp"
	"strings"
)

// maxPage is how wide a page gets: lines that are longer are hard to read.
const maxPage = 100

// Markdown returns a page for a screen, without the marks: headings are bold, blocks of code indented, lists and
// tables wrapped. It knows what the pages of rules are made of, which is a part of CommonMark with tables: links
// in one line, no quotations, no lists in lists.
func (s Screen) Markdown(text string) string {
	if s.Width == 0 || s.Width > maxPage {
		s.Width = maxPage
	}
	p := page{screen: s}
	for line := range strings.Lines(text) {
		p.take(strings.TrimRight(line, "\r\n"))
	}
	p.end()
	return p.out.String()
}

// page is a page that is being laid out.
type page struct {
	screen Screen
	out    strings.Builder
	// block is what kind of block the last lines belong to, and lines are those that were not written yet.
	block block
	lines []string
	// headed is true behind a heading.
	headed bool
}

// block is a kind of block.
type block int

const (
	none block = iota
	paragraph
	item
	table
	code
)

const fence = "```"

// take reads one line.
func (p *page) take(line string) {
	switch {
	case p.block == code:
		if strings.HasPrefix(strings.TrimSpace(line), fence) {
			p.end()
			return
		}
		p.lines = append(p.lines, line)
	case strings.HasPrefix(strings.TrimSpace(line), fence):
		p.begin(code)
	case strings.TrimSpace(line) == "":
		p.end()
	case strings.HasPrefix(line, "#"):
		p.end()
		p.heading(strings.TrimSpace(strings.TrimLeft(line, "#")))
	case strings.HasPrefix(line, "|"):
		p.add(table, line)
	case strings.HasPrefix(line, "- "):
		p.begin(item)
		p.lines = append(p.lines, strings.TrimPrefix(line, "- "))
	case p.block == item:
		p.lines = append(p.lines, strings.TrimSpace(line))
	default:
		p.add(paragraph, line)
	}
}

// add puts a line to a block, which begins if the line before is of another.
func (p *page) add(b block, line string) {
	if p.block != b {
		p.begin(b)
	}
	p.lines = append(p.lines, line)
}

// begin ends the block before.
func (p *page) begin(b block) {
	last := p.block
	p.end()
	if last != item || b != item {
		p.space()
	}
	p.block = b
}

// space puts an empty line between blocks.
func (p *page) space() {
	if p.out.Len() > 0 && !p.headed {
		p.out.WriteByte('\n')
	}
	p.headed = false
}

func (p *page) end() {
	switch p.block {
	case paragraph:
		p.hanging("", inline(strings.Join(p.lines, " ")))
	case item:
		p.hanging("- ", inline(strings.Join(p.lines, " ")))
	case table:
		p.table()
	case code:
		for _, line := range p.lines {
			p.out.WriteString(strings.TrimRight("    "+p.screen.paint(Cyan, Printable(line)), " ") + "\n")
		}
	case none:
	}
	p.block, p.lines = none, nil
}

func (p *page) heading(text string) {
	p.headed = false
	p.space()
	p.hanging("", strong(text))
	p.headed = true
}

// hanging writes text behind a mark; its other lines begin below the text.
func (p *page) hanging(mark string, text []Span) {
	before := mark
	for _, l := range p.screen.lines(words(text...), max(p.screen.Width-len(mark), 1)) {
		p.out.WriteString(before + l.text + "\n")
		before = strings.Repeat(" ", len(mark))
	}
}

// table writes the lines of a table, the second of which is the rule below the names of its columns.
func (p *page) table() {
	// narrow is how wide a column of a page has to be.
	const narrow = 12
	names := cells(p.lines[0])
	var all []Column
	for _, n := range names {
		all = append(all, Column{Name: n.Text, Least: narrow})
	}
	var rows []Row
	for _, line := range p.lines[min(2, len(p.lines)):] {
		r := cells(line)
		for len(r) < len(all) {
			r = append(r, Span{})
		}
		rows = append(rows, r[:len(all)])
	}
	NewTable(p.screen, all...).Write(&p.out, rows)
}

// cells takes a line of a table apart. A bar with a backslash before it belongs to the text.
func cells(line string) Row {
	const bar = "\x00"
	line = strings.ReplaceAll(line, `\|`, bar)
	line = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(line), "|"), "|")
	var r Row
	for cell := range strings.SplitSeq(line, "|") {
		var text strings.Builder
		for _, s := range inline(strings.ReplaceAll(strings.TrimSpace(cell), bar, "|")) {
			text.WriteString(s.Text)
		}
		r = append(r, Span{Text: text.String()})
	}
	return r
}

// inline takes the marks off a text: those of code, within which nothing is marked, of strong text, and of links.
func inline(text string) []Span {
	marked := regexp.MustCompile("(``?)(.+?)``?|\\*\\*(.+?)\\*\\*|\\[([^\\]]+)\\]\\(([^)]+)\\)")
	var all []Span
	for text != "" {
		at := marked.FindStringSubmatchIndex(text)
		if at == nil {
			break
		}
		part := func(n int) string { return text[at[2*n]:at[2*n+1]] }
		all = append(all, Span{Text: text[:at[0]]})
		switch {
		case at[2] >= 0:
			all = append(all, Span{part(2), Cyan})
		case at[6] >= 0:
			all = append(all, strong(part(3))...)
		default:
			all = append(all, link(part(4), part(5))...)
		}
		text = text[at[1]:]
	}
	return append(all, Span{Text: text})
}

func strong(text string) []Span {
	all := inline(text)
	for i := range all {
		if all[i].Colour == Plain {
			all[i].Colour = Bold
		}
	}
	return all
}

// link shows where a link leads, if that is not another page of the same folder.
func link(text, to string) []Span {
	all := inline(text)
	if strings.Contains(to, "://") {
		all = append(all, Span{Text: " (" + to + ")"})
	}
	return all
}
