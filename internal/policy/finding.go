package policy

// Finding is what one rule says about one object.
type Finding struct {
	// Rule is the id of the rule.
	Rule string `json:"rule"`
	// Container is the name of the container; empty where the whole pod is meant.
	Container string `json:"container,omitempty"`
	// Path is the field in the submitted object: spec.containers[0].args[1].
	Path string `json:"path"`
	// Reason is the whole finding in one clause: failure and evidence.
	Reason string `json:"reason"`
	// What will happen, as kubectl will show it.
	What string `json:"what"`
	// Why it will happen, with the values found.
	Why string `json:"why"`
	// Fix is what to change; it works when pasted.
	Fix string `json:"fix"`
	// Repairs, where there are any, make the finding go away. They are additive: what
	// a person wrote stays as it is.
	Repairs []Repair `json:"repairs,omitempty"`
	// Suggestions make the finding go away as well, but change what a person wrote, or
	// add what that person may not want. They are made only on demand.
	Suggestions []Repair `json:"suggestions,omitempty"`
}

// Repair is one change of the object, at a path of the same form as Finding.Path.
type Repair struct {
	// Op is add, where nothing may be there; replace, where something must be; set for
	// either; update, which replaces what is there and else does nothing; or remove.
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value,omitempty"`
}

// RuleError is the failure of one rule to give an answer. It never hides the
// answers of other rules.
type RuleError struct {
	Rule string
	Err  error
}

// Error names the rule and what went wrong.
func (e RuleError) Error() string { return "rule " + e.Rule + ": " + e.Err.Error() }

// Unwrap returns the cause.
func (e RuleError) Unwrap() error { return e.Err }
