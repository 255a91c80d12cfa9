package fix

import (
	"cmp"
	"slices"
)

// edit replaces a piece of the text; an insertion replaces nothing.
type edit struct {
	start, end int
	text       string
	// column orders insertions in one place: what is indented more comes first,
	// because it belongs to what stands before.
	column int
}

// applied returns the text with the edits carried out.
func applied(text []byte, edits []edit) ([]byte, error) {
	slices.SortStableFunc(edits, func(a, b edit) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end), cmp.Compare(b.column, a.column))
	})
	var out []byte
	at := 0
	for _, e := range edits {
		if e.start < at || e.end < e.start || e.end > len(text) {
			return nil, errUnlike
		}
		out = append(append(out, text[at:e.start]...), e.text...)
		at = e.end
	}
	return append(out, text[at:]...), nil
}
