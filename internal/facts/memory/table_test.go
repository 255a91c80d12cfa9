package memory_test

import (
	"testing"

	"github.com/forestall/forestall/internal/facts/memory"
)

// The table is data that people add to: what is wrong in it is an error, not a silence.
func TestParseTable(t *testing.T) {
	const good = "{bytes: 1, because: a, shows: b, source: c}"
	for text, want := range map[string]string{
		"{needs: [" + good + "]}": "",
		"{needs: [{bytes: 1}]}":   "reading the table of memory: a need without bytes, because, shows or source",
		"{entrypoints: [{}]}":     "reading the table of memory: an entrypoint without images, program or source",
		"{javaVariables: [{names: [A, B], read: never, source: s}]}": "reading the table of memory: A, B: read or source is missing",
		"{javaVariables: [{names: [A, A], read: last, source: s}]}":  "reading the table of memory: A is listed twice",
		"{readers: [{reads: [GOMEMLIMIT], source: s}]}":              "reading the table of memory: a reader without programs, images and names, or without source",
		"{readers: [{names: ['[-a'], source: s}]}":                   "reading the table of memory: the name [-a: syntax error in pattern",
		"{readers: [{names: [a], reads: [B], source: s}]}":           "reading the table of memory: B is read, and is none of the variables",
		"{more: 1}": `reading the table of memory: error unmarshaling JSON: while decoding JSON: json: unknown field "more"`,
	} {
		_, err := memory.ParseTable([]byte(text))
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
