// Package terminal lays out text for people: tables, pages written in Markdown, and lines that are broken
// between words.
package terminal

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Screen is what is known of the place where text is shown. The zero value shows no colours, and
// each line in one piece.
type Screen struct {
	// Width in columns; 0 for no limit.
	Width int
	// Colour allows escape sequences.
	Colour bool
}

// Colour is the number of a colour or attribute in escape sequences.
type Colour string

// The colours and attributes.
const (
	Plain  Colour = ""
	Bold   Colour = "1"
	Red    Colour = "31"
	Green  Colour = "32"
	Yellow Colour = "33"
	Cyan   Colour = "36"
)

// Bold is text that stands out, such as a heading.
func (s Screen) Bold(text string) string { return s.paint(Bold, text) }

// paint gives text a colour where the screen has colours.
func (s Screen) paint(c Colour, text string) string {
	if !s.Colour || c == Plain || text == "" {
		return text
	}
	return "\x1b[" + string(c) + "m" + text + "\x1b[0m"
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
