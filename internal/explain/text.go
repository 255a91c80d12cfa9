package explain

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxField bounds one field of an explanation, in bytes.
const maxField = 2048

// oneLine returns text without line breaks and control characters: names and
// values come from the object, and may hold anything.
func oneLine(text string) string {
	text = cut(text, maxField)
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == utf8.RuneError {
			return ' '
		}
		return r
	}, text)
}

// cut shortens text to at most the given number of characters.
func cut(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	runes := []rune(text)
	return strings.TrimRight(string(runes[:most-1]), " ,;:") + "…"
}

// cutBytes shortens text to at most the given number of bytes.
func cutBytes(text string, most int) string {
	if len(text) <= most {
		return text
	}
	const end = "…"
	return strings.ToValidUTF8(text[:most-len(end)], "") + end
}

func quote(name string) string { return strconv.Quote(cut(name, maxField)) }

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
