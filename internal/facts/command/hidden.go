package command

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// hiddenSlip finds the name of a program with characters in it that nobody sees: a line break at its end, as YAML
// leaves one after > and |, a space, a byte order mark.
func (l *slipLine) hiddenSlip(text string) (Slip, bool) {
	name := withoutHidden(text)
	switch {
	case name == text, name == "", isWindows(text), l.isLine(name):
		return Slip{}, false
	case name == text[:len(name)], strings.HasSuffix(text, name): // at an end
	case !isASCII(name):
		return Slip{}, false // joiners belong to the spelling of some languages
	}
	slip := l.slip(formHidden, 0, "", append([]string{withoutHidden(l.raw[0])}, l.raw[1:]...)...)
	slip.Word, slip.Hidden = ending(text, maxSnippet), hiddenIn(text)
	return slip, true
}

// withoutHidden is a name without the white space around it, and without characters that have no width.
func withoutHidden(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, strings.TrimFunc(text, isHidden))
}

// isHidden reports whether a character of a name is not seen: white space, or one without width.
func isHidden(r rune) bool {
	return unicode.IsSpace(r) || unicode.Is(unicode.Cf, r)
}

// hiddenIn says which character is hidden, and where: first at the end, where most are.
func hiddenIn(text string) string {
	last, _ := utf8.DecodeLastRuneInString(text)
	if isHidden(last) {
		return "ends in " + nameOf(last)
	}
	first, _ := utf8.DecodeRuneInString(text)
	if isHidden(first) {
		return "begins with " + nameOf(first)
	}
	return "holds " + nameOf('\u200b')
}

func nameOf(r rune) string {
	switch r {
	case '\n', '\r':
		return "a line break"
	case '\t':
		return "a tab"
	case ' ':
		return "a space"
	case '\u00a0':
		return "a non-breaking space"
	case '\ufeff':
		return "a byte order mark"
	}
	return "a character that is not shown"
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r > unicode.MaxASCII }) < 0
}

// ending is the end of s, at most n characters, behind an ellipsis where something is left out.
func ending(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	runes := []rune(s)
	return "…" + string(runes[len(runes)-n+1:])
}

// shown is a word for one line of text, with what nobody sees in it, unless that is plain white space.
func shown(text string) string {
	if strings.IndexFunc(text, func(r rune) bool { return r > unicode.MaxASCII && isHidden(r) }) < 0 {
		return shorten(text)
	}
	plain := func(r rune) bool { return r <= unicode.MaxASCII && isHidden(r) }
	return cut(strings.Join(strings.FieldsFunc(head(text, 4*maxSnippet), plain), " "), maxSnippet)
}
