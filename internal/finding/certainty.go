package finding

import "slices"

// Certainty is how sure a rule's prediction is.
type Certainty string

// The certainties, from the surest.
const (
	Certain  Certainty = "certain"  // the object cannot work as written, or contradicts itself
	Likely   Certainty = "likely"   // it probably fails, or fails in some clusters
	Possible Certainty = "possible" // a hazard
)

// Certainties lists the certainties from the surest.
func Certainties() []Certainty { return []Certainty{Certain, Likely, Possible} }

// SurerThan reports whether c is surer than other.
func (c Certainty) SurerThan(other Certainty) bool { return c.Compare(other) < 0 }

// Compare is negative where c is surer than other, and positive where it is less sure.
func (c Certainty) Compare(other Certainty) int {
	return slices.Index(Certainties(), c) - slices.Index(Certainties(), other)
}

// DefaultLevel is the level of a rule of this certainty that sets no other.
func (c Certainty) DefaultLevel() Level {
	switch c {
	case Certain:
		return Deny
	case Likely:
		return Warn
	default:
		return Audit
	}
}
