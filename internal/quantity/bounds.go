// Package quantity keeps numbers away from the parser of Kubernetes quantities
// that would keep it busy: resource.ParseQuantity computes with the whole number
// that a text stands for, so that "1e-99999999", twelve characters, takes minutes, and
// a million digits take seconds (apimachinery/pkg/api/resource/quantity.go).
package quantity

import "fmt"

// Nobody needs more than these: quantities end at 2^63 and at billionths.
const (
	MaxExponentDigits = 3
	MaxDigits         = 100
)

// ErrHuge says that a quantity is out of bounds.
var ErrHuge = fmt.Errorf("a quantity may have %d digits and an exponent of %d digits", MaxDigits, MaxExponentDigits)

// Huge reports whether a number out of bounds stands in the text, on its own: not
// in the middle of a word, as in a digest. The text may be a quantity, or a whole
// object that is looked over before it is decoded.
func Huge(text []byte) bool {
	for i := 0; i < len(text); {
		if !isNumeric(text[i]) {
			i++
			continue
		}
		end := numberEnd(text, i)
		alone := i == 0 || !isAlphanumeric(text[i-1])
		if alone && (end-i > MaxDigits || hasLongExponent(text, end)) {
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
	return end-i > MaxExponentDigits && (end == len(text) || !isAlphanumeric(text[end]))
}

// numberEnd returns the end of the digits that begin at i.
func numberEnd(text []byte, i int) int {
	for i < len(text) && isNumeric(text[i]) {
		i++
	}
	return i
}

func isNumeric(c byte) bool { return isDigit(c) || c == '.' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isAlphanumeric(c byte) bool {
	return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'z'
}
