package memory

import (
	"strconv"
	"strings"

	"github.com/forestall/forestall/internal/facts/fact"
)

// mostMebibytes is the largest number without a suffix that would make sense as mebibytes: 64Gi.
const mostMebibytes = 1 << 16

// Unit is the unit of a memory limit. Present: thousandths of a byte, or bytes in a number
// that would make sense as mebibytes.
type Unit struct {
	fact.Observation
	// Milli says that the limit is written in thousandths of a byte: "128m".
	Milli bool `json:"milli"`
	// Instead is the same number in mebibytes: "128Mi".
	Instead string `json:"instead,omitempty"`
}

func observeUnit(limit Quantity) Unit {
	if !limit.Is(fact.Present) {
		return Unit{Observation: limit.Observation}
	}
	if number, ok := strings.CutSuffix(limit.Text, "m"); ok {
		return Unit{Observation: fact.PresentAt(limit.Path), Milli: true, Instead: number + "Mi"}
	}
	if limit.Bytes <= mostMebibytes && limit.Text == strconv.FormatInt(limit.Bytes, 10) {
		return Unit{Observation: fact.PresentAt(limit.Path), Instead: limit.Text + "Mi"}
	}
	return Unit{Observation: fact.AbsentAt(limit.Path)}
}
