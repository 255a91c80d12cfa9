package workload

import (
	"fmt"
)

// resource.ParseQuantity computes with the whole number that a quantity stands
// for, so that "1e-99999999", twelve characters, keeps a processor busy for
// minutes, and a million digits for seconds
// (apimachinery/pkg/api/resource/quantity.go). Nobody needs more than these:
// quantities end at 2^63 and at billionths.
const (
	maxExponentDigits = 3
	maxDigits         = 100
)

// boundQuantities refuses an object with a quantity that is out of bounds. The
// object is only walked where a cheap look at its bytes finds something that
// could be one.
func boundQuantities(raw []byte, specPath string) error {
	if !hasHugeNumber(raw) {
		return nil
	}
	return eachQuantity(raw, specPath, func(path, text string) error {
		if hasHugeNumber([]byte(text)) {
			return fmt.Errorf("%s: a quantity may have %d digits and an exponent of %d digits: %.40s",
				path, maxDigits, maxExponentDigits, text)
		}
		return nil
	})
}

// hasHugeNumber reports whether a number out of bounds stands in the text, on its
// own: not in the middle of a word, as in a digest.
func hasHugeNumber(text []byte) bool {
	for i := 0; i < len(text); {
		if !isNumeric(text[i]) {
			i++
			continue
		}
		end := numberEnd(text, i)
		alone := i == 0 || !isAlphanumeric(text[i-1])
		if alone && (end-i > maxDigits || hasLongExponent(text, end)) {
			return true
		}
		i = end
	}
	return false
}

// hasLongExponent looks at what follows the digits of a number.
func hasLongExponent(text []byte, i int) bool {
	if i == len(text) || text[i]|0x20 != 'e' {
		return false
	}
	i++
	if i < len(text) && (text[i] == '+' || text[i] == '-') {
		i++
	}
	end := numberEnd(text, i)
	return end-i > maxExponentDigits && (end == len(text) || !isAlphanumeric(text[end]))
}

// numberEnd returns the end of the digits that begin at i.
func numberEnd(text []byte, i int) int {
	for i < len(text) && isNumeric(text[i]) {
		i++
	}
	return i
}

func isNumeric(c byte) bool { return isDigit(c) || c == '.' }
