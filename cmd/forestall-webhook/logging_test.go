package main

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"
)

// TestLinesAreShort: what libraries log may quote what somebody has sent.
func TestLinesAreShort(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	for _, format := range []string{"text", "json"} {
		for name, value := range map[string]any{
			"text": long, "error": errors.New(long), "value": struct{ A, B string }{long, long}, "pointer": &struct{ A []string }{[]string{long}},
		} {
			var b bytes.Buffer
			log, err := newLogger(&b, &options{logLevel: "debug", logFormat: format})
			if err != nil {
				t.Fatal(err)
			}
			log.Info("something", "value", value, "rules", []string{"a", "b"})
			if b.Len() > 8<<10 || b.Len() < maxLogged && name != "pointer" {
				t.Errorf("%s, %s: %d bytes", format, name, b.Len())
			}
			b.Reset()
			slog.Error(long)
			if b.Len() > 8<<10 {
				t.Errorf("%s: a message of %d bytes", format, b.Len())
			}
		}
	}
}
