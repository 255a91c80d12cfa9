package quantity_test

import (
	"strings"
	"testing"

	"github.com/forestall/forestall/internal/quantity"
)

func TestHuge(t *testing.T) {
	digits := strings.Repeat("9", 101)
	for text, want := range map[string]bool{
		"":                  false,
		"e":                 false,
		"1e":                false,
		"1e999":             false,
		"1e1000":            true,
		"-1.E-1000":         true,
		"x 1e1000 x":        true,
		"1e1000m":           false, // no exponent has a suffix
		"sha256:a1e1000":    false,
		"sha256:1e1000f":    false,
		`{"a":1e100000}`:    true,
		`{"a":"\t1e100000"`: false, // the quantity would have to be unescaped
		"1e1000e1000":       false,
		digits[:100]:        false,
		digits:              true,
		"0." + digits:       true,
		"a" + digits:        false,
	} {
		if got := quantity.Huge([]byte(text)); got != want {
			t.Errorf("Huge(%q) = %v", text, got)
		}
	}
}
