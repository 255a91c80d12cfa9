package memory

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/forestall/forestall/internal/facts/fact"
)

// The numbers that are surely meant as mebibytes: limits of real programs. Less is as often gibibytes, more kibibytes.
const (
	leastMebibytes = 16
	mostMebibytes  = 8 << 10
)

// Unit is the unit of a memory limit. Present: thousandths of a byte, or bytes in a number
// that would make sense as mebibytes.
type Unit struct {
	fact.Observation
	// Milli says that the limit is in thousandths of a byte: "128m", or a fraction that Kubernetes writes so.
	Milli bool `json:"milli"`
	// Exact is how many bytes a limit in thousandths is: "0.128".
	Exact string `json:"exact,omitempty"`
	// Instead is the same number in mebibytes: "128Mi". It is empty where something else may be meant.
	Instead string `json:"instead,omitempty"`
	// Bytes is how much that is.
	Bytes int64 `json:"bytes,omitempty"`
}

// observeUnit takes the limit as Kubernetes writes it, and as it was written, if that is different.
func observeUnit(limit Quantity, written string) Unit {
	if !limit.Is(fact.Present) {
		return Unit{Observation: limit.Observation}
	}
	number, milli := strings.CutSuffix(cmp.Or(written, limit.Text), "m")
	if !milli && strings.HasSuffix(limit.Text, "m") {
		return Unit{Observation: fact.PresentAt(limit.Path), Milli: true, Exact: exact(true, limit.Text)} // "0.5"
	}
	if !milli && limit.Text != strconv.FormatInt(limit.Bytes, 10) {
		return Unit{Observation: fact.AbsentAt(limit.Path)}
	}
	mebibytes, err := strconv.ParseInt(number, 10, 64)
	meant := err == nil && leastMebibytes <= mebibytes && mebibytes <= mostMebibytes
	switch {
	case meant:
		return Unit{Observation: fact.PresentAt(limit.Path), Milli: milli, Exact: exact(milli, limit.Text), Instead: number + "Mi", Bytes: mebibytes << 20}
	case milli:
		return Unit{Observation: fact.PresentAt(limit.Path), Milli: true, Exact: exact(true, limit.Text)}
	}
	return Unit{Observation: fact.AbsentAt(limit.Path)}
}

// exact is a number of thousandths of a byte as a decimal number of bytes: "0.128". Kubernetes writes 1000m as 1.
func exact(milli bool, text string) string {
	number, fraction := strings.CutSuffix(text, "m")
	n, err := strconv.ParseInt(number, 10, 64)
	switch {
	case !milli, err != nil:
		return ""
	case !fraction:
		return number
	}
	return strconv.FormatFloat(float64(n)/1000, 'f', -1, 64)
}
