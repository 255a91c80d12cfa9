package policy

import (
	"fmt"
	"slices"

	"github.com/forestall/forestall/internal/facts"
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

// AtLeast reports whether l is as strong as other.
func (l Level) AtLeast(other Level) bool {
	return slices.Index(Levels(), l) >= slices.Index(Levels(), other)
}

// Lowest returns the quietest of the levels; an empty one is no opinion.
func Lowest(levels ...Level) Level {
	lowest := Deny
	for _, l := range levels {
		if l != "" && lowest.AtLeast(l) {
			lowest = l
		}
	}
	return lowest
}

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

// Rule is one entry of the catalogue: what the METADATA of a rule says of it.
type Rule struct {
	// ID is the name of the rule's folder: configuration key, metric label, page and
	// cause type at once.
	ID string `json:"id"`
	// Title is a short, stable name of the problem.
	Title       string `json:"title"`
	Description string `json:"description"`
	Custom
	Links []Link `json:"links,omitempty"`
}

// Custom is the part of METADATA that OPA leaves to its users, as rules write it.
type Custom struct {
	Category string `json:"category"`
	// Concern is what the rule is about within a container. Findings of one container
	// and one concern have one cause, and the surest of them is shown.
	Concern   string    `json:"concern"`
	Certainty Certainty `json:"certainty"`
	// Level is the default level; that of the certainty unless the rule sets another.
	Level Level `json:"level"`
	// Judges lists the observations of which at least one must hold before the rule is asked.
	Judges []facts.Judgement `json:"judges"`
	// Failure is what a person would see in the cluster: CrashLoopBackOff, OOMKilled.
	Failure     string `json:"failure"`
	Remediation string `json:"remediation"`
	// Since is the version of forestall that brought the rule.
	Since string `json:"since"`
	// Patches is true for a rule that can bring repairs.
	Patches bool `json:"patches"`
	// Suggests is true for a rule that can bring suggestions.
	Suggests bool             `json:"suggests"`
	Params   map[string]Param `json:"params,omitempty"`
}

// Link is a page to read about a rule.
type Link struct {
	Title string `json:"title,omitempty"`
	URL   string `json:"url"`
}
