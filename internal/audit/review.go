package audit

import (
	"context"
	"errors"

	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/review"
	"github.com/forestall/forestall/internal/workload"
)

// verdict is what the review said of one object.
type verdict struct {
	decision review.Decision
	err      error
}

// Review judges every object of the Set. It fails only when the context ends: an
// object or a rule that fails is an error in the Result.
func (s *Set) Review(ctx context.Context, r *review.Reviewer) (Result, error) {
	verdicts, err := s.judge(ctx, r)
	if err != nil {
		return Result{}, err
	}
	parts := make([]Result, len(s.documents))
	err = s.progress.stage(ctx, Locating, len(s.documents), func(i int) {
		d := &s.documents[i]
		parts[i] = d.result(verdicts[i])
		d.lines.forget()
		verdicts[i] = nil
	})
	if err != nil {
		return Result{}, err
	}
	all := s.counts
	for _, part := range parts {
		all.Judged += part.Judged
		all.Findings = append(all.Findings, part.Findings...)
		all.Errors = append(all.Errors, part.Errors...)
	}
	return all, nil
}

// judge reviews object by object, also those of one large List beside each other,
// and returns the verdicts by document.
func (s *Set) judge(ctx context.Context, r *review.Reviewer) ([][]verdict, error) {
	type place struct{ document, object int }
	var places []place
	verdicts := make([][]verdict, len(s.documents))
	for i := range s.documents {
		verdicts[i] = make([]verdict, len(s.documents[i].objects))
		for j := range verdicts[i] {
			places = append(places, place{i, j})
		}
	}
	err := s.progress.stage(ctx, Reviewing, len(places), func(i int) {
		at := places[i]
		o := &s.documents[at.document].objects[at.object]
		v := &verdicts[at.document][at.object]
		v.err = guarded(func() (err error) {
			subject := o.subject()
			if v.decision, err = r.Review(ctx, subject); err == nil {
				r.Propose(ctx, subject, &v.decision)
			}
			return err
		})
	})
	return verdicts, err
}

// result puts together what was found in one document.
func (d *document) result(verdicts []verdict) Result {
	r := Result{Errors: d.errors}
	for i, v := range verdicts {
		d.report(&r, &d.objects[i], v)
	}
	return r
}

func (d *document) report(r *Result, o *object, v verdict) {
	place := func(path string) finding.Source {
		return finding.Source{File: d.source.File, Line: d.lines.line(o.raw, o.at, path)}
	}
	switch {
	case v.err != nil:
		r.Errors = append(r.Errors, Error{Source: place(fieldOf(v.err)), Err: v.err})
		return
	case v.decision.Skipped != "":
		return
	}
	r.Judged++
	for _, f := range v.decision.Findings {
		f.Source = place(f.Path)
		r.Findings = append(r.Findings, f)
	}
	if why := v.decision.Unfinished; why != "" {
		r.Errors = append(r.Errors, Error{Source: place(""), Err: errors.New(why)})
	}
	for _, e := range v.decision.Errors {
		r.Errors = append(r.Errors, Error{Source: place(""), Rule: e.Rule, Err: e})
	}
}

// fieldOf is the field that an error is about; empty for the object as a whole.
func fieldOf(err error) string {
	var at *workload.FieldError
	if errors.As(err, &at) {
		return at.Field
	}
	return ""
}
