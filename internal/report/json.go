package report

import (
	"encoding/json"
	"io"
)

const indent = "  "

// Indented writes a value for programs and people: two spaces, and <, > and & as
// they are. It writes in one piece, so that nobody takes a part for the whole.
func Indented(w io.Writer, v any) error { return indented(w, "", v) }

// indented writes a value whose lines, but for the first, begin with the prefix.
func indented(w io.Writer, prefix string, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent(prefix, indent)
	return e.Encode(v)
}
