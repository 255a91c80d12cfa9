// Package finding holds what a rule says about an object, in the one form that it
// has from the rule to the last report. Each step on that way fills in what it
// knows: the rule its texts, the review the level in force, an audit the place in a file.
package finding

import "fmt"

// Finding is one predicted failure of one object.
type Finding struct {
	// Rule is the id of the rule.
	Rule string `json:"rule"`
	// Level in force: what is done about the finding in this request.
	Level Level `json:"level"`
	// Certainty, Category and Failure are those of the rule.
	Certainty Certainty `json:"certainty"`
	Category  string    `json:"category"`
	Failure   string    `json:"failure"`
	// Cause names what is wrong in the container, or in the object where Container is empty.
	// Findings with the same cause are told as one.
	Cause string `json:"cause"`
	// Object that the finding is about.
	Object Object `json:"object"`
	// Container is the name of the container; empty where the object as a whole is meant.
	Container string `json:"container"`
	// Path is the field in the submitted object: spec.containers[0].args[1].
	Path string `json:"path"`
	// Field is Path with names in place of positions, such as spec.containers[name=api].args.
	// It stays the same when lists are reordered or values change.
	Field string `json:"field"`
	// Source is the place in a file, where the object comes from one.
	Source Source `json:"source,omitzero"`
	// Reason is the whole finding in one clause: failure and evidence.
	Reason string `json:"reason"`
	// What will happen, as kubectl will show it.
	What string `json:"what"`
	// Why it will happen, with the values found.
	Why string `json:"why"`
	// Fix is what to change; it works when pasted.
	Fix string `json:"fix"`
	// Existing is true on update for a finding that the stored object has too.
	Existing bool `json:"existing,omitempty"`
	// Patched is true in an audit for a finding that the webhook would repair before anything is created, with the
	// settings of the audit. It does not weigh: the object is admitted.
	Patched bool `json:"patched,omitempty"`
	// Pods is how many pods of a running cluster the object stands for; 0 where no cluster was asked.
	Pods int `json:"pods,omitempty"`
	// Status says whether a running cluster reports the failure already; empty where none was asked.
	Status Status `json:"status,omitempty"`
	// Evidence is what the cluster reports beside the finding.
	Evidence []Symptom `json:"evidence,omitempty"`
	// Merged are the findings that have the same cause and are told by this one.
	Merged []Identity `json:"merged,omitempty"`
	// Patch holds the repairs as JSON Patch for the submitted object, once a review has proved them.
	Patch []Operation `json:"patch,omitempty"`
	// Suggestion is the patch of a finding that has suggestions and no repairs, once a review
	// has proved it. It changes what somebody wrote.
	Suggestion []Operation `json:"suggestion,omitempty"`
	// Repairs, where there are any, make the finding go away. They are additive: what
	// a person wrote stays as it is.
	Repairs []Repair `json:"-"`
	// Suggestions make the finding go away as well, but change what a person wrote, or add what
	// that person may not want. They are made only on demand.
	Suggestions []Repair `json:"-"`
}

// Identity tells a finding from all others of its object.
type Identity struct {
	Rule string `json:"rule"`
	// Container and Field as in Finding.
	Container string `json:"container,omitempty"`
	Field     string `json:"field"`
}

// Identity of the finding within its object. Ratchet, repairs, exemptions and baselines
// compare by it.
func (f *Finding) Identity() Identity {
	return Identity{Rule: f.Rule, Container: f.Container, Field: f.Field}
}

// Object names an object. Namespace is empty where a manifest leaves it open.
type Object struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Namespace  string `json:"namespace"`
	Name       string `json:"name"`
}

// Repair is one change of the object, at a path of the same form as Finding.Path.
type Repair struct {
	// Op says what is done at the path. An add needs the path to be empty, a replace needs a
	// value there, and a set takes both. An update replaces a value that is there and otherwise
	// does nothing. A remove takes the value out.
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value,omitempty"`
}

// Operation is one operation of a JSON Patch (RFC 6902).
type Operation struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value,omitempty"`
}

// Source is a place in a file.
type Source struct {
	// File as it was named, or found below the folder that was named.
	File string `json:"file"`
	// Line counts from 1; 0 where the file as a whole is meant.
	Line int `json:"line"`
}

// String returns the place as compilers write it.
func (s Source) String() string {
	if s.Line == 0 {
		return Quote(s.File)
	}
	return fmt.Sprintf("%s:%d", Quote(s.File), s.Line)
}
