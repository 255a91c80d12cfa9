package report

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/forestall/forestall/internal/finding"
)

// Screen is what is known of the place where a table is shown. The zero value is
// a file or a pipe: no colours, one line a row.
type Screen struct {
	// Width in characters; 0 for no limit.
	Width int
	// Colour allows escape sequences.
	Colour bool
}

// colour is the number of a colour or attribute in escape sequences; 0 is none.
type colour string

const (
	plain  colour = ""
	bold   colour = "1"
	red    colour = "31"
	yellow colour = "33"
	cyan   colour = "36"
)

func colourOf(l finding.Level) colour {
	return map[finding.Level]colour{finding.Deny: red, finding.Warn: yellow, finding.Audit: cyan}[l]
}

func (s Screen) paint(c colour, text string) string {
	if !s.Colour || c == plain || text == "" {
		return text
	}
	return "\x1b[" + string(c) + "m" + text + "\x1b[0m"
}

// cell is one field of a table.
type cell struct {
	text   string
	colour colour
}

// row is one line of a table.
type row []cell

func heading(names ...string) row {
	var r row
	for _, n := range names {
		r = append(r, cell{n, bold})
	}
	return r
}

const gap = "  "

// columns aligns rows. Where one is wider than the screen, each row becomes two
// lines: the last cell, which says most, below the others. Nothing is cut. No column is
// narrower than in widths; it returns how wide they are.
func (s Screen) columns(b *strings.Builder, rows []row, widths []int) []int {
	for _, r := range rows {
		for i := range r {
			r[i].text = Printable(r[i].text)
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(r[i].text))
		}
	}
	if s.fits(widths) {
		s.aligned(b, rows, widths)
	} else {
		s.stacked(b, rows)
	}
	return widths
}

func (s Screen) fits(widths []int) bool {
	total := len(gap) * (len(widths) - 1)
	for _, w := range widths {
		total += w
	}
	return s.Width == 0 || total <= s.Width
}

func (s Screen) aligned(b *strings.Builder, rows []row, widths []int) {
	for _, r := range rows {
		for i, c := range r {
			b.WriteString(s.paint(c.colour, c.text))
			if i < len(r)-1 {
				b.WriteString(strings.Repeat(" ", widths[i]-utf8.RuneCountInString(c.text)) + gap)
			}
		}
		b.WriteByte('\n')
	}
}

func (s Screen) stacked(b *strings.Builder, rows []row) {
	for _, r := range rows {
		for i, c := range r {
			if i > 0 && i == len(r)-1 {
				b.WriteString("\n" + gap)
			}
			b.WriteString(s.paint(c.colour, c.text))
			if i < len(r)-2 {
				b.WriteString(gap)
			}
		}
		b.WriteByte('\n')
	}
}

// Printable replaces what would move the cursor or colour the screen: names and
// arguments come from files that somebody else may have written.
func Printable(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r):
			return utf8.RuneError
		}
		return r
	}, text)
}
