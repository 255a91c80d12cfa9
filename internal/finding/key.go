package finding

import "strings"

// Key tells a finding from all others of a run, and finds it again in another: its identity and that of its object. It stays
// the same when lists are reordered, lines or values change, the object moves to another file, or the version of its API changes.
type Key struct {
	Rule, Group, Kind, Namespace, Name, Container, Field string
}

// Key of the finding.
func (f *Finding) Key() Key {
	group, _, ok := strings.Cut(f.Object.APIVersion, "/")
	if !ok {
		group = "" // "v1" is the core group
	}
	return Key{
		Rule: f.Rule, Group: group, Kind: f.Object.Kind, Namespace: f.Object.Namespace, Name: f.Object.Name,
		Container: f.Container, Field: f.Field,
	}
}
