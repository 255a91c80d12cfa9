package memory

import (
	"math"
	"strconv"
	"strings"
)

// maxDigits bounds a number that is parsed: more bytes than that nobody has.
const maxDigits = 15

// amount reads a number of bytes with a unit of the table. The number has to be
// a whole one without a sign; anything else is not an amount.
func amount(text string, units map[string]int64) (int64, bool) {
	end := 0
	for end < len(text) && '0' <= text[end] && text[end] <= '9' {
		end++
	}
	unit, ok := units[text[end:]]
	if end == 0 || end > maxDigits || !ok {
		return 0, false
	}
	n, err := strconv.ParseInt(text[:end], 10, 64)
	if err != nil || n == 0 || n > math.MaxInt64/unit {
		return 0, false
	}
	return n * unit, true
}

// javaBytes reads a size as the JVM does: k, m, g and t are binary, without a
// unit it is bytes (the java command, "Extra Options for Java").
func javaBytes(text string) (int64, bool) {
	return amount(strings.ToLower(text), map[string]int64{"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40})
}

// stressBytes reads a size as stress does: binary, in either case.
func stressBytes(text string) (int64, bool) {
	return amount(strings.ToLower(text), map[string]int64{"": 1, "b": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30})
}

// goBytes reads GOMEMLIMIT (package runtime, "Environment Variables").
func goBytes(text string) (int64, bool) {
	return amount(text, map[string]int64{"": 1, "B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40})
}

// mebibytes reads a bare number of MiB, as V8 does.
func mebibytes(text string) (int64, bool) {
	n, ok := amount(text, map[string]int64{"": 1})
	if !ok || n > math.MaxInt64>>20 {
		return 0, false
	}
	return n << 20, true
}

// percentage reads a number between 0 and 100.
func percentage(text string) (float64, bool) {
	if len(text) > maxDigits {
		return 0, false
	}
	p, err := strconv.ParseFloat(text, 64)
	return p, err == nil && p > 0 && p <= 100
}
