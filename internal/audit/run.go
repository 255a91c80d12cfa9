package audit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/forestall/forestall/internal/evidence"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/review"
	"github.com/forestall/forestall/internal/workload"
)

// Run is one audit.
type Run struct {
	Reviewer *review.Reviewer
	Source   Source
	Sink     Sink
	// Patches asks for the patch of each finding that has one. This takes more reviews of the
	// object, which are wasted on a sink that does not show patches.
	Patches bool
	// Assumed is the mode that the Reviewer assumes, of which the summary tells what it would do.
	Assumed review.Assumed
	// Progress, if set, is told how far the run is.
	Progress Progress
}

// Do reviews every object of the source, and tells the sink what it finds. It fails when the
// context ends (*Interrupted), and when the source or the sink fails. When an object cannot be
// judged, or a rule fails, it tells the sink and goes on.
func (r Run) Do(ctx context.Context) (Summary, error) {
	sum := r.Source.Counts()
	var without passed
	rules := confirmedBy(r.Reviewer)
	watched := newWatch(rules)
	if as := r.Assumed.String(); as != "" {
		sum.Assumed = &Assumed{As: as}
	}
	count := counter{to: r.Progress, stage: Reviewing, total: sum.Objects}
	err := pipeline[Batch, told]{
		source: r.Source.Batches(ctx),
		size:   func(b Batch) int { return b.Size },
		work:   func(ctx context.Context, b Batch) told { return r.batch(ctx, b, rules, &count) },
		then: func(t told) error {
			for _, n := range t.notJudged {
				without.add(n)
			}
			if sum.Cluster != nil {
				watched.take(&t)
			}
			return t.to(r.Sink, &sum)
		},
	}.run(ctx)
	sum.NotJudged = without.ordered()
	if sum.Cluster != nil {
		watched.into(sum.Cluster)
	}
	if ctx.Err() != nil {
		return sum, count.interrupted(ctx.Err())
	}
	if err == nil {
		err = r.Sink.Done(sum)
	}
	return sum, err
}

// told is what the sink is told of a batch.
type told struct {
	findings []finding.Finding
	ignored  []finding.Ignored
	troubles []finding.Trouble
	warnings []Warning
	errors   []Error
	judged   int
	assumed  Assumed
	// notJudged are the objects that were passed over.
	notJudged []NotJudged
	// spans are the judged objects.
	spans []span
}

// to tells a sink, and counts.
func (t told) to(s Sink, sum *Summary) error {
	for _, f := range t.findings {
		if f.Patched {
			sum.Patched++
		} else {
			sum.Findings.Count(f.Level)
		}
		if err := s.Found(f); err != nil {
			return err
		}
	}
	if err := tell(t.ignored, &sum.Ignored, s.FoundIgnored); err != nil {
		return err
	}
	if err := tell(t.troubles, &sum.Troubles, s.FoundTrouble); err != nil {
		return err
	}
	if err := tell(t.warnings, &sum.Warnings, s.Warned); err != nil {
		return err
	}
	if err := tell(t.errors, &sum.Errors, s.Failed); err != nil {
		return err
	}
	sum.Judged += t.judged
	if sum.Assumed != nil {
		sum.Assumed.Denied += t.assumed.Denied
		sum.Assumed.Patched += t.assumed.Patched
	}
	return nil
}

// tell tells a sink of each, and counts.
func tell[T any](all []T, n *int, to func(T) error) error {
	for _, one := range all {
		*n++
		if err := to(one); err != nil {
			return err
		}
	}
	return nil
}

// verdict is what the review said of one object.
type verdict struct {
	decision review.Decision
	err      error
	troubles []finding.Trouble
}

// batch reviews the objects of a batch. It reviews several at once, so that one large List takes
// all processors.
func (r Run) batch(ctx context.Context, b Batch, rules evidence.Rules, count *counter) told {
	verdicts := make([]verdict, len(b.Objects))
	each(ctx, len(b.Objects), func(i int) {
		verdicts[i] = r.review(ctx, b.Objects[i].Subject)
		verdicts[i].observe(&b.Objects[i], rules)
		count.more()
	})
	t := told{errors: b.Errors}
	for i := range verdicts {
		warnings, errs := len(t.warnings), len(t.errors)
		t.add(&b.Objects[i], &verdicts[i])
		if o := &b.Objects[i]; o.Find == nil {
			t.name(o, warnings, errs)
		}
		if d := &verdicts[i].decision; r.Assumed.In(d.Object.Namespace) != "" {
			t.assumed.count(d)
		}
	}
	return t
}

func (r Run) review(ctx context.Context, s review.Subject) (v verdict) {
	v.err = guarded(func() (err error) {
		if v.decision, err = r.Reviewer.Review(ctx, s); err != nil {
			return err
		}
		r.Reviewer.MarkPatched(ctx, s, &v.decision)
		if r.Patches {
			r.Reviewer.Propose(ctx, s, &v.decision)
		}
		return nil
	})
	return v
}

// add takes in what was said of an object, with the places in its file.
func (t *told) add(o *Object, v *verdict) {
	switch {
	case v.err != nil:
		t.errors = append(t.errors, errorsOf(v.err, o.Place)...)
		return
	case v.decision.Skipped != "":
		t.notJudged = append(t.notJudged, notJudged(o, &v.decision))
		return
	}
	t.judged++
	for _, f := range v.decision.Findings {
		f.Source, f.Pods = o.Place(f.Path), o.Pods
		t.findings = append(t.findings, f)
	}
	for _, i := range v.decision.Ignored {
		i.Source = o.Place(i.Path)
		t.ignored = append(t.ignored, i)
	}
	t.troubles = append(t.troubles, v.troubles...)
	t.spans = append(t.spans, t.spanOf(o, &v.decision))
	for _, n := range v.decision.Notices {
		t.warnings = append(t.warnings, Warning{Source: o.Place(n.Path), Message: n.Text})
	}
	t.errors = append(t.errors, wrongOf(&v.decision, o.Place)...)
	if why := v.decision.Unfinished; why != "" {
		t.errors = append(t.errors, Error{Source: o.Place(""), Err: errors.New(why)})
	}
	for _, e := range v.decision.Errors {
		t.errors = append(t.errors, Error{Source: o.Place(""), Rule: e.Rule, Err: e})
	}
}

// name puts the name of an object that has no place before what is said of it, from these warnings and errors on.
func (t *told) name(o *Object, warnings, errs int) {
	name := o.Subject.Kind.Kind + "/" + o.Subject.Name
	if o.Subject.Namespace != "" {
		name = o.Subject.Kind.Kind + "/" + o.Subject.Namespace + "/" + o.Subject.Name
	}
	for i := range t.warnings[warnings:] {
		w := &t.warnings[warnings+i]
		w.Message = name + ": " + w.Message
	}
	for i := range t.errors[errs:] {
		e := &t.errors[errs+i]
		e.Err = fmt.Errorf("%s: %w", name, e.Err)
	}
}

// wrongOf returns an error for each field that has a value of a wrong type, beside what rules judge.
func wrongOf(d *review.Decision, place func(path string) finding.Source) []Error {
	if len(d.Wrong) == 0 {
		return nil
	}
	return errorsOf(&workload.DecodeError{Kind: d.Object.Kind, Name: d.Object.Name, Fields: d.Wrong}, place)
}

// errorsOf returns an error for each field that is wrong, with its place, in the order of the text.
func errorsOf(err error, place func(path string) finding.Source) []Error {
	var all []Error
	for _, one := range workload.Apart(err) {
		var at *workload.FieldError
		field := ""
		if errors.As(one, &at) {
			field = at.Field
		}
		all = append(all, Error{Source: place(field), Err: one})
	}
	slices.SortStableFunc(all, func(a, b Error) int { return cmp.Compare(a.Source.Line, b.Source.Line) })
	return all
}
