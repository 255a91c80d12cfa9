package review

import (
	"github.com/forestall/forestall/internal/patch"
	"github.com/forestall/forestall/internal/policy"
)

// Decision is what a review says about one object.
type Decision struct {
	// Skipped says why the object was not judged; empty when it was.
	Skipped string
	// Object that was judged.
	Object Object
	// Owner is the controller that the object belongs to, where it is of a judged
	// kind. Nobody reads what a controller is told: people look at the owner.
	Owner *Owner
	// Findings in the order in which people read them: strongest level first.
	Findings []Finding
	// Errors are rules that could not answer.
	Errors []policy.RuleError
	// Unfinished says why the object was not judged whole; empty when it was. The findings stand, and
	// there may be others. It is the same wherever the object is judged: steps are counted, not time.
	Unfinished string
	// Steps is what the review took.
	Steps int64
	// left is what the repairs may take.
	left int64
	// fired holds every finding of the object, also those merged into others.
	fired map[Identity]bool
	// scope is what may be done about the object in this request.
	scope scope
}

// Object names the object of a Decision.
type Object struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Namespace  string `json:"namespace,omitempty"`
	Name       string `json:"name"`
}

// Owner names the controller of an object.
type Owner struct {
	Object
	UID string
}

// Finding is a finding of a rule with what the review knows about it.
type Finding struct {
	policy.Finding
	// Level in force: what is done about this finding in this request.
	Level policy.Level
	// Certainty, Category and Failure as the catalogue has them.
	Certainty policy.Certainty
	Category  string
	Failure   string
	// Identity tells this finding from all others of the object, and stays the same
	// when lists are reordered or values change.
	Identity Identity
	// Existing is true on update for a finding that the stored object has too.
	Existing bool
	// Patch holds the repairs as JSON Patch for the submitted object, once Propose
	// has proved them.
	Patch []patch.Operation
	// Suggestion holds the suggestions of a finding without repairs in the same way.
	Suggestion []patch.Operation
}

// Identity of a finding within its object.
type Identity struct {
	Rule      string
	Container string
	// Field is the path with list keys for positions: spec.containers[name=api].args.
	Field string
}

// Level returns the strongest level among the findings; Off when there are none.
func (d Decision) Level() policy.Level {
	level := policy.Off
	for _, f := range d.Findings {
		if f.Level.AtLeast(level) {
			level = f.Level
		}
	}
	return level
}

// Denied reports whether the request is to be refused.
func (d Decision) Denied() bool { return d.Level() == policy.Deny }

// At returns the findings whose level in force is the given one, in order.
func (d Decision) At(level policy.Level) []Finding {
	var at []Finding
	for _, f := range d.Findings {
		if f.Level == level {
			at = append(at, f)
		}
	}
	return at
}
