package audit

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/fix"
	"github.com/forestall/forestall/internal/manifest"
	"github.com/forestall/forestall/internal/review"
)

// fixer repairs the objects of one document.
type fixer struct {
	set       *Set
	reviewer  *review.Reviewer
	selection review.Selection
	document  *manifest.Document
	// name of the file, and the whole text of it.
	name string
	file []byte
	// parsed is made when it is needed first: most documents need no repair.
	parsed *fix.Document
	err    error
}

// repair is the change of one object, and what it repairs.
type repair struct {
	fix.Change
	made []finding.Finding
	// revealed counts the findings at level warn that the repair brings to light.
	revealed int
}

var errMark = errors.New("a byte order mark stands within the document: remove it")

func (f *fixer) parse() (*fix.Document, error) {
	if f.parsed != nil || f.err != nil {
		return f.parsed, f.err
	}
	if d := f.document; !bytes.HasPrefix(f.file[min(d.Offset, len(f.file)):], d.Raw) {
		f.err = errMark
	} else {
		f.parsed, f.err = fix.Parse(d.Raw)
	}
	return f.parsed, f.err
}

func (f *fixer) fix(ctx context.Context) fixedDocument {
	out := fixedDocument{name: f.name}
	for _, fault := range f.document.Faults {
		out.Errors = append(out.Errors, Error{Source: finding.Source{File: f.name, Line: fault.Line}, Err: fault.Err})
	}
	var repairs []repair
	for i := range f.document.Objects {
		o := &f.document.Objects[i]
		err := guarded(func() error {
			r, err := f.object(ctx, o, &out.Fixed)
			if len(r.Patch) > 0 {
				repairs = append(repairs, r)
			}
			return err
		})
		if err != nil {
			out.Errors = append(out.Errors, errorsOf(err, func(path string) finding.Source { return f.place(o, path) })...)
		}
	}
	f.write(ctx, repairs, &out)
	return out
}

// object reviews an object and returns the repair of it.
func (f *fixer) object(ctx context.Context, o *manifest.Object, out *Fixed) (repair, error) {
	s := f.set.subject(&file{name: f.name}, o)
	d, err := f.reviewer.Review(ctx, s)
	if err != nil || d.Skipped != "" {
		return repair{}, err
	}
	for _, e := range d.Errors {
		out.Errors = append(out.Errors, Error{Source: f.place(o, ""), Rule: e.Rule, Err: e})
	}
	out.Errors = append(out.Errors, wrongOf(&d, func(path string) finding.Source { return f.place(o, path) })...)
	if d.Unfinished != "" {
		out.Errors = append(out.Errors, Error{Source: f.place(o, ""), Err: errors.New(d.Unfinished)})
	}
	out.Left += complaints(d.Findings)
	for _, of := range d.Findings {
		if f.selection.Offers(of) {
			out.Suggested++
		}
	}
	sel := f.selection
	sel.Accept = func(ops []finding.Operation) error {
		parsed, err := f.parse()
		if err != nil {
			return err
		}
		return parsed.Check(fix.Change{At: o.At, Patch: ops})
	}
	repaired, err := f.reviewer.RepairSelected(ctx, s, d, sel)
	if err != nil {
		return repair{}, err
	}
	r := repair{Change: fix.Change{At: o.At, Patch: repaired.Patch}, revealed: complaints(repaired.Revealed)}
	for _, of := range repaired.Findings {
		of.Source = f.place(o, of.Path)
		r.made = append(r.made, of)
	}
	for i, of := range repaired.Withheld {
		of.Source = f.place(o, of.Path)
		out.Withheld = append(out.Withheld, Withheld{Finding: of, Err: repaired.Errors[i].Err})
	}
	return r, nil
}

// complaints counts the findings that are denied or warned about.
func complaints(findings []finding.Finding) int {
	n := 0
	for _, f := range findings {
		if f.Level.AtLeast(finding.Warn) {
			n++
		}
	}
	return n
}

// write makes the repairs in the text. Where that fails, it makes those that work
// by themselves.
func (f *fixer) write(ctx context.Context, repairs []repair, out *fixedDocument) {
	if len(repairs) == 0 || f.apply(repairs, out) == nil {
		return
	}
	var sound []repair
	for _, r := range repairs {
		err := ctx.Err()
		if err == nil {
			_, err = f.applied([]repair{r})
		}
		if err == nil {
			sound = append(sound, r)
			continue
		}
		err = fmt.Errorf("the repair is withheld: %w", err)
		for _, of := range r.made {
			out.Withheld = append(out.Withheld, Withheld{Finding: of, Err: err})
		}
	}
	if len(sound) == 0 {
		return
	}
	if err := f.apply(sound, out); err != nil {
		out.Errors = append(out.Errors, Error{Source: finding.Source{File: f.name, Line: f.document.Line}, Err: err})
	}
}

func (f *fixer) apply(repairs []repair, out *fixedDocument) error {
	text, err := f.applied(repairs)
	if err != nil {
		return err
	}
	out.edit = edit{text: text, offset: f.document.Offset, until: f.document.Offset + len(f.document.Raw)}
	for _, r := range repairs {
		out.Made = append(out.Made, r.made...)
		out.Left += r.revealed
	}
	return nil
}

func (f *fixer) applied(repairs []repair) (text []byte, err error) {
	var changes []fix.Change
	for _, r := range repairs {
		changes = append(changes, r.Change)
	}
	err = guarded(func() (err error) {
		text, err = f.parsed.Apply(changes)
		return err
	})
	return text, err
}

func (f *fixer) place(o *manifest.Object, path string) finding.Source {
	return finding.Source{File: f.name, Line: f.document.LineOf(o, path)}
}
