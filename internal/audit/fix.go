package audit

import (
	"context"

	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/review"
)

// Fixed is what a Set becomes when its repairs are made.
type Fixed struct {
	// Files in the order of the input; those that could not be read are not among them.
	Files []FixedFile
	// Made are the findings that were repaired.
	Made []finding.Finding
	// Withheld are the findings whose repairs could not be made, with the reasons.
	Withheld []Withheld
	// Suggested counts the findings whose suggestions were left out.
	Suggested int
	// Left counts the findings at level deny or warn that are still there.
	Left int
	// Errors are what could not be read or judged.
	Errors []Error
}

// FixedFile is a file before and after.
type FixedFile struct {
	Name          string
	Before, After []byte
}

// Withheld is a finding whose repair could not be made.
type Withheld struct {
	finding.Finding
	Err error
}

// Fix reviews every object of the Set and puts the repairs that were selected into
// the texts of the files. The Set must have been loaded with Keep. A document whose
// text cannot be changed stays as it is, and hides no other.
func (s *Set) Fix(ctx context.Context, r *review.Reviewer, sel review.Selection) (Fixed, error) {
	texts := map[string][]byte{}
	for _, f := range s.texts {
		texts[f.Name] = f.Text
	}
	parts := make([]fixedDocument, len(s.documents))
	err := s.progress.stage(ctx, Repairing, len(s.documents), func(i int) {
		d := &s.documents[i]
		f := fixer{reviewer: r, selection: sel, document: d, file: texts[d.source.File]}
		parts[i] = f.fix(ctx)
		d.lines.forget()
	})
	if err != nil {
		return Fixed{}, err
	}
	return s.joined(parts), nil
}

// fixedDocument is what became of one document: its text where it has changed.
type fixedDocument struct {
	Fixed
	text    []byte
	changed bool
}

// joined puts the documents back into their files.
func (s *Set) joined(parts []fixedDocument) Fixed {
	var all Fixed
	byFile := map[string][]int{}
	for i := range parts {
		p := &parts[i]
		all.Made = append(all.Made, p.Made...)
		all.Withheld = append(all.Withheld, p.Withheld...)
		all.Errors = append(all.Errors, p.Errors...)
		all.Suggested += p.Suggested
		all.Left += p.Left
		if p.changed {
			name := s.documents[i].source.File
			byFile[name] = append(byFile[name], i)
		}
	}
	for _, made := range all.Made {
		if made.Level.AtLeast(finding.Warn) {
			all.Left--
		}
	}
	for _, f := range s.texts {
		var after []byte
		at := 0
		for _, i := range byFile[f.Name] {
			d := &s.documents[i]
			after = append(append(after, f.Text[at:d.offset]...), parts[i].text...)
			at = d.offset + len(d.raw)
		}
		all.Files = append(all.Files, FixedFile{Name: f.Name, Before: f.Text, After: append(after, f.Text[at:]...)})
	}
	return all
}
