package audit

import "github.com/forestall/forestall/internal/finding"

// Sink is told what a run finds, while it runs, by one goroutine. An error from a Sink ends
// the run.
type Sink interface {
	// Found is called for each finding, in the order of the source, then as the review
	// orders them.
	Found(f finding.Finding) error
	// Failed is called for each error, in the order of the source.
	Failed(e Error) error
	// Done is called once, at the end of a run that was not cut short.
	Done(s Summary) error
}

// Result is a Sink that keeps all that it is told.
type Result struct {
	Summary
	Findings []finding.Finding
	Errors   []Error
}

// Found keeps a finding.
func (r *Result) Found(f finding.Finding) error {
	r.Findings = append(r.Findings, f)
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
	for _, e := range r.Errors {
		if err := to.Failed(e); err != nil {
			return err
		}
	}
	return to.Done(r.Summary)
}
