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
	Name string
	// Within is the folder that was named and in which the file was found; empty where the file
	// itself was named. Somebody else may have put links into the folder.
	Within        string
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
		texts[f.name] = f.text
	}
	count := counter{to: s.progress, stage: Repairing, total: s.counts.Documents}
	var all Fixed
	changed := map[string][]edit{}
	err := pipeline[read, fixedDocument]{
		source: s.documents(ctx),
		size:   func(d read) int { return d.size() },
		work: func(ctx context.Context, d read) fixedDocument {
			defer count.more()
			name := s.files[d.file].name
			f := fixer{set: s, reviewer: r, selection: sel, document: &d.Document, name: name, file: texts[name]}
			return f.fix(ctx)
		},
		then: func(d fixedDocument) error {
			all.add(&d.Fixed)
			if d.edit.text != nil {
				changed[d.name] = append(changed[d.name], d.edit)
			}
			return nil
		},
	}.run(ctx)
	if ctx.Err() != nil {
		err = count.interrupted(ctx.Err())
	}
	if err != nil {
		return Fixed{}, err
	}
	for _, made := range all.Made {
		if made.Level.AtLeast(finding.Warn) {
			all.Left--
		}
	}
	for _, f := range s.texts {
		all.Files = append(all.Files, FixedFile{Name: f.name, Within: f.within, Before: f.text, After: edited(f.text, changed[f.name])})
	}
	return all, nil
}

// add takes in what became of one document.
func (f *Fixed) add(d *Fixed) {
	f.Made = append(f.Made, d.Made...)
	f.Withheld = append(f.Withheld, d.Withheld...)
	f.Errors = append(f.Errors, d.Errors...)
	f.Suggested += d.Suggested
	f.Left += d.Left
}

// fixedDocument is what became of one document of a file.
type fixedDocument struct {
	Fixed
	name string
	edit edit
}

// edit is the new text of a document, nil where it stays as it is, and its place in the file.
type edit struct {
	text          []byte
	offset, until int
}

// edited puts documents into the text of their file.
func edited(text []byte, edits []edit) []byte {
	var after []byte
	at := 0
	for _, e := range edits {
		after = append(append(after, text[at:e.offset]...), e.text...)
		at = e.until
	}
	return append(after, text[at:]...)
}
