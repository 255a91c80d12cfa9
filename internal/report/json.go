package report

import (
	"encoding/json"
	"io"
)

// Indented writes a value for programs and people: two spaces, and <, > and & as
// they are. It writes in one piece, so that nobody takes a part for the whole.
func Indented(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
