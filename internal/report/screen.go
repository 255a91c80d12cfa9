package report

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/forestall/forestall/internal/policy"
)

// Screen is what is known of the place where a table is shown. The zero value is
// a file or a pipe: no colours, nothing cut.
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

func colourOf(l policy.Level) colour {
	return map[policy.Level]colour{policy.Deny: red, policy.Warn: yellow, policy.Audit: cyan}[l]
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

// columns aligns rows and cuts each to the width of the screen.
func (s Screen) columns(b *strings.Builder, rows []row) {
	var widths []int
	for _, r := range rows {
		for i := range r {
			r[i].text = Printable(r[i].text)
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(r[i].text))
		}
	}
	for _, r := range rows {
		s.line(b, r, widths)
	}
}

func (s Screen) line(b *strings.Builder, r row, widths []int) {
	used := 0
	for i, c := range r {
		text := c.text
		if i < len(r)-1 {
			text += strings.Repeat(" ", widths[i]-utf8.RuneCountInString(text)) + gap
		}
		if s.Width > 0 {
			if used == s.Width {
				break
			}
			text = cutBack(text, s.Width-used)
		}
		used += utf8.RuneCountInString(text)
		b.WriteString(s.paint(c.colour, text))
	}
	b.WriteByte('\n')
}

// cutFront shortens a text to its last n characters; 0 is no limit.
func cutFront(text string, n int) string {
	r := []rune(text)
	if n == 0 || len(r) <= n {
		return text
	}
	return "…" + string(r[len(r)-n+1:])
}

// cutBack shortens a text to its first n characters; 0 is no limit.
func cutBack(text string, n int) string {
	r := []rune(text)
	if n == 0 || len(r) <= n {
		return text
	}
	return string(r[:n-1]) + "…"
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
