package finding

import (
	"fmt"
	"strings"
	"unicode"
)

// Quote returns a file's name as one line that moves no cursor. A name that holds control
// characters, or those that turn the direction of text, is put in quotes with escapes, as git does
// (https://git-scm.com/docs/git-config, core.quotePath), and git apply and patch understand it.
// Other names are returned as they are.
func Quote(name string) string {
	if !strings.ContainsFunc(name, unprintable) {
		return name
	}
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(name) {
		switch c := name[i]; {
		case c == '"' || c == '\\':
			b.WriteString(`\` + string(c))
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\t':
			b.WriteString(`\t`)
		case c < ' ' || c > '~':
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func unprintable(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }
