package audit

import "github.com/forestall/forestall/internal/finding"

// Sink is told what a run finds, while it runs, by one goroutine. An error from a Sink ends
// the run.
type Sink interface {
	// Found is called for each finding, in the order of the source, then as the review
	// orders them.
	Found(f finding.Finding) error
	// FoundIgnored is called for each finding that its object asks to ignore, in the same order.
	FoundIgnored(i finding.Ignored) error
	// FoundTrouble is called for each failure that a running cluster reports and no finding predicts, after the
	// findings of its object.
	FoundTrouble(t finding.Trouble) error
	// Warned is called for each warning, in the order of the source.
	Warned(w Warning) error
	// Failed is called for each error, in the order of the source.
	Failed(e Error) error
	// Done is called once, at the end of a run that was not cut short.
	Done(s Summary) error
}

// Result is a Sink that keeps all that it is told.
type Result struct {
	Summary
	Findings []finding.Finding
	Ignored  []finding.Ignored
	Troubles []finding.Trouble
	Warnings []Warning
	Errors   []Error
}

// Found keeps a finding.
func (r *Result) Found(f finding.Finding) error {
	r.Findings = append(r.Findings, f)
	return nil
}

// FoundIgnored keeps a finding that is ignored.
func (r *Result) FoundIgnored(i finding.Ignored) error {
	r.Ignored = append(r.Ignored, i)
	return nil
}

// FoundTrouble keeps a failure that nothing predicts.
func (r *Result) FoundTrouble(t finding.Trouble) error {
	r.Troubles = append(r.Troubles, t)
	return nil
}

// Warned keeps a warning.
func (r *Result) Warned(w Warning) error {
	r.Warnings = append(r.Warnings, w)
	return nil
}

// Failed keeps an error.
func (r *Result) Failed(e Error) error {
	r.Errors = append(r.Errors, e)
	return nil
}

// Done keeps the summary.
func (r *Result) Done(s Summary) error {
	r.Summary = s
	return nil
}

// Tell tells another Sink the same.
func (r *Result) Tell(to Sink) error {
	for _, f := range r.Findings {
		if err := to.Found(f); err != nil {
			return err
		}
	}
	for _, i := range r.Ignored {
		if err := to.FoundIgnored(i); err != nil {
			return err
		}
	}
	for _, t := range r.Troubles {
		if err := to.FoundTrouble(t); err != nil {
			return err
		}
	}
	for _, w := range r.Warnings {
		if err := to.Warned(w); err != nil {
			return err
		}
	}
	for _, e := range r.Errors {
		if err := to.Failed(e); err != nil {
			return err
		}
	}
	return to.Done(r.Summary)
}
