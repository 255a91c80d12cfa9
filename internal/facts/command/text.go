package command

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// typed is the command line as a person would type it, in at most maxText characters.
func typed(lists ...[]string) string {
	var b strings.Builder
	for _, words := range lists {
		for _, w := range words {
			if b.Len() > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(quoted(head(w, maxText+1)))
			if b.Len() > maxText*utf8.UTFMax {
				return cut(b.String(), maxText)
			}
		}
	}
	return cut(b.String(), maxText)
}

func quoted(w string) string {
	q, err := syntax.Quote(w, syntax.LangBash)
	if err != nil {
		return strconv.Quote(w)
	}
	return q
}

// shorten makes a piece of a script or a name fit for one line of text.
func shorten(s string) string {
	clean := strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) && r != utf8.RuneError {
			return r
		}
		return ' '
	}, head(s, 4*maxSnippet))
	return cut(strings.Join(strings.Fields(clean), " "), maxSnippet)
}

// cut shortens s to n characters, the last of them an ellipsis.
func cut(s string, n int) string {
	if h := head(s, n); len(h) == len(s) {
		return s
	}
	return head(s, n-1) + "…"
}

// head is the first n characters of s.
func head(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}
