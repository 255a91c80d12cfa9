package main

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr/funcr"
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

// TestUnrepeated: an attempt in each second is no line in each second.
func TestUnrepeated(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var lines []string
		log := unrepeated(funcr.New(func(name, line string) { lines = append(lines, name+" "+line) }, funcr.Options{}))
		for range 150 {
			log.WithName("a").WithValues("k", "v").Info("retrying")
			log.Info("another")
			time.Sleep(time.Second)
		}
		log.Error(nil, "an error")
		log.Error(nil, "an error")
		if len(lines) != 8 || lines[0] != `a "level"=0 "msg"="retrying" "k"="v"` {
			t.Errorf("%d lines: %q", len(lines), lines)
		}
	})
}
