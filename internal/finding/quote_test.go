package finding_test

import (
	"testing"

	"github.com/forestall/forestall/internal/finding"
)

func TestQuote(t *testing.T) {
	for name, want := range map[string]string{
		"":                   "",
		"a b.yaml":           "a b.yaml",
		"größe.yaml":         "größe.yaml",
		`C:\pods\a.yaml`:     `C:\pods\a.yaml`,
		"\x1b]0;x\a.yaml":    `"\033]0;x\007.yaml"`,
		"a\nforestall: fine": `"a\nforestall: fine"`,
		"a\t\"b\\ü.yaml":     `"a\t\"b\\\303\274.yaml"`,
		"\u202elmay.exe":     `"\342\200\256lmay.exe"`,
		"\u009b31m.yaml":     `"\302\23331m.yaml"`,
		"\x7f.yaml":          `"\177.yaml"`,
	} {
		if got := finding.Quote(name); got != want {
			t.Errorf("%q: got %s, want %s", name, got, want)
		}
	}
	if got, want := (finding.Source{File: "a\n.yaml", Line: 3}).String(), `"a\n.yaml":3`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
