// Package fact holds the vocabulary that every analyser shares: an observation
// is present, known to be absent, or unknown with a reason. Rules fire on what
// is known, so an analyser that cannot tell must say unknown.
package fact

// State says how much is known of an observation.
type State string

const (
	// Present means that the thing observed is there; its value is beside it.
	Present State = "present"
	// Absent means that the thing is known not to be there.
	Absent State = "absent"
	// Unknown means that it cannot be told from what is at hand.
	Unknown State = "unknown"
)

// Observation is what all facts have in common. Facts embed it and add their
// value.
type Observation struct {
	State State `json:"state" jsonschema:"enum=present,enum=absent,enum=unknown"`
	// Reason says why the state is unknown; empty otherwise.
	Reason string `json:"reason,omitempty"`
	// Path is the place in the submitted object that the fact was read from
	// (spec.containers[0].args[1]); for an absent fact, the place where it would stand.
	Path string `json:"path,omitempty"`
}

// PresentAt returns the observation of something found at path.
func PresentAt(path string) Observation { return Observation{State: Present, Path: path} }

// AbsentAt returns the observation that nothing stands at path.
func AbsentAt(path string) Observation { return Observation{State: Absent, Path: path} }

// UnknownAt returns the observation that path cannot be judged, and why.
func UnknownAt(path, reason string) Observation {
	return Observation{State: Unknown, Path: path, Reason: reason}
}

// Is reports whether the observation has the state; the zero observation is unknown.
func (o Observation) Is(s State) bool {
	if o.State == "" {
		return s == Unknown
	}
	return o.State == s
}
