package memory

import (
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
	// Milli says that the limit is written in thousandths of a byte: "128m".
	Milli bool `json:"milli"`
	// Instead is the same number in mebibytes: "128Mi". It is empty where something else may be meant.
	Instead string `json:"instead,omitempty"`
	// Bytes is how much that is.
	Bytes int64 `json:"bytes,omitempty"`
}

func observeUnit(limit Quantity) Unit {
	if !limit.Is(fact.Present) {
		return Unit{Observation: limit.Observation}
	}
	number, milli := strings.CutSuffix(limit.Text, "m")
	if !milli && limit.Text != strconv.FormatInt(limit.Bytes, 10) {
		return Unit{Observation: fact.AbsentAt(limit.Path)}
	}
	mebibytes, err := strconv.ParseInt(number, 10, 64)
	meant := err == nil && leastMebibytes <= mebibytes && mebibytes <= mostMebibytes
	switch {
	case meant:
		return Unit{Observation: fact.PresentAt(limit.Path), Milli: milli, Instead: number + "Mi", Bytes: mebibytes << 20}
	case milli:
		return Unit{Observation: fact.PresentAt(limit.Path), Milli: true}
	}
	return Unit{Observation: fact.AbsentAt(limit.Path)}
}
