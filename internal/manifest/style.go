package manifest

import (
	"bytes"
	"strings"
)

// style is the way in which a value is written.
type style int

const (
	plain     style = iota
	inBlock         // behind | or >, on the lines below
	onOneLine       // in quotes, brackets or braces that end on the same line
	otherwise       // anything else
)

func styleOf(text []byte) style {
	switch c := text[0]; {
	case c == '|' || c == '>':
		if isBlank(bytes.TrimLeft(text[1:], "+-123456789")) {
			return inBlock
		}
	case c == '"' || c == '\'':
		if n := quoted(text); n > 0 && isBlank(text[n:]) {
			return onOneLine
		}
	case c == '[' || c == '{':
		if n := bracketed(text); n > 0 && isBlank(text[n:]) {
			return onOneLine
		}
	case strings.IndexByte("&*!%@`?,]}", c) < 0:
		return plain
	}
	return otherwise
}

// isBlank reports whether there is nothing but a comment.
func isBlank(text []byte) bool {
	rest := bytes.TrimLeft(text, " ")
	return len(rest) == 0 || rest[0] == '#'
}

// quoted returns the length of the quoted text that a line begins with; 0 where the quote does
// not end.
func quoted(text []byte) int {
	quote := text[0]
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == '\\' && quote == '"':
			i++
		case text[i] == quote && quote == '\'' && i+1 < len(text) && text[i+1] == quote:
			i++
		case text[i] == quote:
			return i + 1
		}
	}
	return 0
}

// bracketed returns the length of the list or mapping in flow style that a line begins with; 0
// where it does not end, or where it holds anything but plain and quoted text.
func bracketed(text []byte) int {
	depth := 0
	begins := true // a value may begin here
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case begins && (c == '"' || c == '\''):
			n := quoted(text[i:])
			if n == 0 {
				return 0
			}
			i += n - 1
		case c == '#' && text[i-1] == ' ', begins && strings.IndexByte("&*!|>%@`?#", c) >= 0:
			return 0
		default:
			depth += nesting(c)
		}
		if depth == 0 {
			return i + 1
		}
		begins = strings.IndexByte("[{,:", c) >= 0 || begins && c == ' '
	}
	return 0
}

// nesting is 1 for a bracket or brace that opens, and -1 for one that closes.
func nesting(c byte) int {
	switch c {
	case '[', '{':
		return 1
	case ']', '}':
		return -1
	}
	return 0
}

// cutKey returns the key that a line begins with, nil for none, and the text behind its colon. It
// fails for a key in a form that is not read.
func cutKey(text []byte) (key, after []byte, ok bool) {
	switch c := text[0]; {
	case c == '"' || c == '\'':
		n := quoted(text)
		if n == 0 {
			return nil, nil, false
		}
		rest := bytes.TrimLeft(text[n:], " ")
		if !isColon(rest) {
			return nil, nil, true
		}
		key = text[1 : n-1]
		return key, rest[1:], bytes.IndexByte(key, '\\') < 0 && bytes.IndexByte(key, '\'') < 0
	case hasMarker(text, "?"):
		return nil, nil, false
	case strings.IndexByte("&*!|>%@`[{", c) >= 0:
		return nil, nil, true
	}
	for i := range text {
		switch {
		case text[i] == '#' && i > 0 && text[i-1] == ' ':
			return nil, nil, true
		case text[i] == ':' && isColon(text[i:]):
			key = bytes.TrimRight(text[:i], " ")
			return key, text[i+1:], len(key) > 0 && string(key) != "<<"
		}
	}
	return nil, nil, true
}

// isColon reports whether a text begins with the colon behind a key.
func isColon(text []byte) bool {
	return len(text) > 0 && text[0] == ':' && (len(text) == 1 || text[1] == ' ')
}
