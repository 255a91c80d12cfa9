package command

import (
	"math"
	"strconv"
	"strings"
)

// foreverSeconds is the wait from which on it counts as one without end, in every rule: 30 days. Few pods grow
// as old, and what somebody means by sleep 2147483648 or sleep 365d is sleep infinity.
const foreverSeconds = 30 * 24 * 60 * 60

// isInfinity reports whether an operand of sleep(1) is the word that not every sleep knows.
func isInfinity(s string) bool {
	s = strings.ToLower(s)
	return s == "inf" || s == "infinity"
}

// parseDuration reads an operand of sleep(1) or timeout(1): a decimal number
// with an optional suffix. The seconds are rounded up; forever is infinity, and what is as good as that.
func parseDuration(s string) (seconds int64, forever, ok bool) {
	if isInfinity(s) {
		return 0, true, true
	}
	unit := 1.0
	if s != "" {
		if u, hasUnit := secondsIn(s[len(s)-1]); hasUnit {
			unit, s = u, s[:len(s)-1]
		}
	}
	if !isDecimal(s) {
		return 0, false, false
	}
	n, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return 0, false, false
	}
	seconds = int64(min(math.Ceil(n*unit), maxSeconds))
	return seconds, seconds >= foreverSeconds, true
}

func secondsIn(suffix byte) (float64, bool) {
	switch suffix {
	case 's':
		return 1, true
	case 'm':
		return 60, true
	case 'h':
		return 3600, true
	case 'd':
		return 86400, true
	}
	return 0, false
}

// isDecimal leaves out the hexadecimal and exponent forms, which not every sleep knows.
func isDecimal(s string) bool {
	whole, fraction, hasPoint := strings.Cut(s, ".")
	if hasPoint && fraction == "" && whole == "" {
		return false
	}
	return (whole == "" || isNumber(whole)) && (fraction == "" || isNumber(fraction)) && s != ""
}

// sequenceLength is how many numbers seq(1) prints.
func sequenceLength(operands []word) (int64, bool) {
	if len(operands) == 0 || len(operands) > 3 {
		return 0, false
	}
	var n [3]int64
	for i, w := range operands {
		v, err := strconv.ParseInt(w.text, 10, 64)
		if !w.known || err != nil || v > maxSequence || v < -maxSequence {
			return 0, false
		}
		n[i] = v
	}
	first, step, last := int64(1), int64(1), n[len(operands)-1]
	if len(operands) > 1 {
		first = n[0]
	}
	if len(operands) > 2 {
		step = n[1]
	}
	switch {
	case step == 0:
		return 0, false
	case step > 0 && last < first, step < 0 && last > first:
		return 0, true
	}
	return (last-first)/step + 1, true
}
