package facts

import (
	"github.com/forestall/forestall/internal/facts/fact"
	"github.com/forestall/forestall/internal/workload"
)

// Unserved says whether no API server serves the kind of the object in the version in which it is written.
type Unserved struct {
	fact.Observation
	// APIVersion and Kind as they are written.
	APIVersion string `json:"apiVersion,omitempty"`
	Kind       string `json:"kind,omitempty"`
	// Since is the first version of Kubernetes that does not serve it; left out where none is known that did.
	Since string `json:"since,omitempty"`
	// WriteAPIVersion and WriteKind are what to write in their place.
	WriteAPIVersion string `json:"writeAPIVersion,omitempty"`
	WriteKind       string `json:"writeKind,omitempty"`
	// NeedsSelector is true where the object then needs a spec.selector, which it does not have.
	NeedsSelector bool `json:"needsSelector,omitempty"`
}

func observeUnserved(v *workload.View) Unserved {
	u := v.Unserved
	if u == nil {
		return Unserved{Observation: fact.Observation{State: fact.Absent}}
	}
	at := "apiVersion"
	if v.APIVersion == u.Write.APIVersion {
		at = "kind"
	}
	return Unserved{
		Observation: fact.PresentAt(at), APIVersion: v.APIVersion, Kind: u.Kind, Since: u.Since,
		WriteAPIVersion: u.Write.APIVersion, WriteKind: u.Write.Kind, NeedsSelector: u.NeedsSelector,
	}
}
