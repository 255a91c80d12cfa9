package finding

import (
	"fmt"
	"slices"
)

// Level is what forestall does about a finding. The order is off, audit, warn,
// deny: each does what the ones before it do, and more.
type Level string

// The levels, from the quietest.
const (
	Off   Level = "off"   // the rule is not asked
	Audit Level = "audit" // reported by audits, metrics and the audit log only
	Warn  Level = "warn"  // the API server shows a warning
	Deny  Level = "deny"  // the request is refused
)

// Levels lists the levels from the quietest to the strongest.
func Levels() []Level { return []Level{Off, Audit, Warn, Deny} }

// ParseLevel reads a level as people write it.
func ParseLevel(s string) (Level, error) {
	if l := Level(s); slices.Contains(Levels(), l) {
		return l, nil
	}
	return Off, fmt.Errorf("unknown level %q: it is one of off, audit, warn, deny", s)
}

// rank returns the place of a level in the order. An unknown level ranks below all others.
func (l Level) rank() int { return slices.Index(Levels(), l) }

// AtLeast reports whether l is as strong as other.
func (l Level) AtLeast(other Level) bool { return l.rank() >= other.rank() }

// Compare is negative where l is quieter than other, and positive where it is stronger.
func (l Level) Compare(other Level) int { return l.rank() - other.rank() }

// Lowest returns the quietest of the levels. An empty level has no say.
func Lowest(levels ...Level) Level {
	lowest := Deny
	for _, l := range levels {
		if l != "" && lowest.AtLeast(l) {
			lowest = l
		}
	}
	return lowest
}
