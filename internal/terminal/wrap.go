package terminal

import "strings"

// Span is a piece of text in one colour, such as a cell of a table.
type Span struct {
	Text   string
	Colour Colour
}

// word is what stands between two spaces; it may have several colours.
type word struct {
	spans []Span
	width int
	// before is how many spaces stand before it, if it does not begin a line.
	before int
}

// words takes text apart at its spaces.
func words(text ...Span) []word {
	var all []word
	spaces, open := 0, false
	for _, s := range text {
		for s.Text != "" {
			if s.Text[0] == ' ' {
				s.Text, spaces, open = s.Text[1:], spaces+1, false
				continue
			}
			piece, rest := s.Text, ""
			if i := strings.IndexByte(s.Text, ' '); i >= 0 {
				piece, rest = s.Text[:i], s.Text[i:]
			}
			if !open {
				all = append(all, word{before: spaces})
				spaces, open = 0, true
			}
			w := &all[len(all)-1]
			w.spans = append(w.spans, Span{piece, s.Colour})
			w.width += columns(piece)
			s.Text = rest
		}
	}
	return all
}

// widest is the width of the widest of the words.
func widest(all []word) int {
	most := 0
	for _, w := range all {
		most = max(most, w.width)
	}
	return most
}

// line is a part of a text that stands on one line.
type line struct {
	text  string
	width int
}

// lines puts words on lines of at most the given width, where 0 is no limit. A word that is wider has a line
// of its own and is not broken: it can still be copied.
func (s Screen) lines(all []word, most int) []line {
	var done []line
	var here []Span
	used := 0
	for i, w := range all {
		switch {
		case i == 0:
		case most > 0 && used+w.before+w.width > most:
			done = append(done, line{s.painted(here), used})
			here, used = nil, 0
		default:
			here = append(here, Span{Text: strings.Repeat(" ", w.before)})
			used += w.before
		}
		here = append(here, w.spans...)
		used += w.width
	}
	return append(done, line{s.painted(here), used})
}

// painted puts spans together. Spaces between two of one colour are painted with them.
func (s Screen) painted(spans []Span) string {
	var b, run strings.Builder
	var colour Colour
	flush := func(next Colour) {
		text := run.String()
		body := strings.TrimRight(text, " ")
		b.WriteString(s.paint(colour, body) + text[len(body):])
		run.Reset()
		colour = next
	}
	for _, p := range spans {
		if p.Colour != colour && strings.Trim(p.Text, " ") != "" {
			flush(p.Colour)
		}
		run.WriteString(p.Text)
	}
	flush(Plain)
	return b.String()
}

// Wrap breaks text between words, so that no line is wider than the screen. Its line breaks stay.
func (s Screen) Wrap(text string) string {
	var b strings.Builder
	for part := range strings.Lines(text) {
		body, end := strings.CutSuffix(part, "\n")
		for i, l := range s.lines(words(Span{Text: body}), s.Width) {
			if i > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(l.text)
		}
		if end {
			b.WriteByte('\n')
		}
	}
	return b.String()
}
