package review

// WithSteps returns the Reviewer with another budget for each object.
func (r *Reviewer) WithSteps(steps int64) *Reviewer {
	other := *r
	other.steps = steps
	return &other
}
