package finding

// Ignored is a finding that an annotation of its object takes out. Its level is the one that it would
// have in force.
type Ignored struct {
	Finding
	// IgnoreReason is the reason that the annotation gives.
	IgnoreReason string `json:"ignoreReason"`
}
