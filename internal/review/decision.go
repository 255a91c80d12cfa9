package review

import (
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/policy"
	"github.com/forestall/forestall/internal/workload"
)

// Decision is what a review says about one object.
type Decision struct {
	// Skipped says why the object was not judged; empty when it was.
	Skipped string
	// Skip is the same in one word; empty when it was judged.
	Skip Skip
	// Object that was judged.
	Object finding.Object
	// Owner is the controller that created the object from a template that was judged before. A
	// controller does not read warnings; people look at the owner.
	Owner *Owner
	// Sender says who sent an object that names an Owner, whether the reference was believed or
	// not.
	Sender Sender
	// Findings in the order in which people read them: strongest level first.
	Findings []finding.Finding
	// Ignored are the findings that annotations of the object take out, in the same order. Nothing is
	// done about them.
	Ignored []finding.Ignored
	// Notices are about annotations that were not followed.
	Notices []Notice
	// Errors are rules that could not answer.
	Errors []policy.RuleError
	// Wrong are values of wrong types in an audit, beside what rules judge: the API server refuses the object.
	Wrong []*workload.FieldError
	// Unfinished says why the object was not judged as a whole; empty when it was. The findings
	// stand, but there may be others. It does not depend on where the object is judged, since
	// steps are counted and not time.
	Unfinished string
	// Refused says why the request is refused whatever the findings are: the settings want the object
	// to be judged whole, and it could not be. Empty for all others.
	Refused string
	// Steps is how many steps the review took, MarkPatched and Propose with it.
	Steps int64
	// left is how many steps the repairs may take.
	left int64
	// fired holds every finding of the object, also those merged into others, and those that are ignored.
	fired map[finding.Identity]bool
	// scope is what may be done about the object in this request.
	scope scope
}

// Skip is why an object was not judged.
type Skip string

// The reasons.
const (
	// NoPodTemplate is for kinds without one, and for objects of custom kinds that have none.
	NoPodTemplate Skip = "no pod template"
	// UnknownKind is for objects of custom kinds that no table names, with what looks like a pod template.
	UnknownKind Skip = "unknown kind with containers"
	// Part is for the part of an object in a file, such as a patch: the rest of it is not known.
	Part Skip = "part of an object"
	// SwitchedOff is for namespaces that are not judged.
	SwitchedOff Skip = "mode off"
	// Quiet is for requests that change nothing that is judged.
	Quiet Skip = "no change"
	// Mirror is for mirror pods.
	Mirror Skip = "mirror pod"
)

// Owner names the controller of an object.
type Owner struct {
	finding.Object
	UID string
}

// Level returns the strongest level among the findings; Off when there are none.
func (d Decision) Level() finding.Level {
	level := finding.Off
	for _, f := range d.Findings {
		if f.Level.AtLeast(level) {
			level = f.Level
		}
	}
	return level
}

// Denied reports whether the request is to be refused.
func (d Decision) Denied() bool { return d.Refused != "" || d.Level() == finding.Deny }

// At returns the findings whose level in force is the given one, in order.
func (d Decision) At(level finding.Level) []finding.Finding {
	var at []finding.Finding
	for _, f := range d.Findings {
		if f.Level == level {
			at = append(at, f)
		}
	}
	return at
}
