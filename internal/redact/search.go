package redact

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// search looks for the most that can be replaced without another verdict.
type search struct {
	options Options
	want    Verdict
	objects []Object
	words   *words
	// gone are the candidates that are replaced, and the objects that are left out.
	gone  map[candidate]bool
	tries int
	err   error
}

// candidate is something that may be replaced: a word, a value, or a whole object.
type candidate struct {
	kind kind
	text string
	// object is the position of an object that may be left out.
	object int
}

// kind is a kind of candidate. What is large is tried first.
type kind int

const (
	wholeObject kind = iota
	wholeValue
	word
	// publicWord is a word that everybody knows, where it is a name.
	publicWord
)

// result finds the candidates that can go. The result was reviewed, since each step is.
func (s *search) result(ctx context.Context) (Result, error) {
	s.gone = map[candidate]bool{}
	if !s.asBefore(ctx, s.gone) {
		return Result{}, s.failed(ErrOther)
	}
	all := s.candidates()
	if !s.replace(ctx, all) {
		for _, k := range []kind{wholeObject, wholeValue, word, publicWord} {
			s.reduce(ctx, slices.DeleteFunc(slices.Clone(all), func(c candidate) bool { return c.kind != k }))
		}
	}
	if s.err != nil {
		return Result{}, s.err
	}
	return s.shown(all), nil
}

func (s *search) failed(otherwise error) error {
	if s.err != nil {
		return s.err
	}
	return otherwise
}

func (s *search) candidates() []candidate {
	var all []candidate
	for i, o := range s.objects {
		if !s.options.Judged(o) {
			all = append(all, candidate{kind: wholeObject, object: i})
		}
	}
	return append(all, s.words.candidates()...)
}

// reduce replaces as many of the candidates as it can: all, or else of each half as many as it can.
func (s *search) reduce(ctx context.Context, all []candidate) {
	if len(all) == 0 || s.err != nil || s.replace(ctx, all) || len(all) == 1 {
		return
	}
	half := len(all) / 2
	s.reduce(ctx, all[:half])
	s.reduce(ctx, all[half:])
}

// replace replaces candidates if the verdict stays.
func (s *search) replace(ctx context.Context, all []candidate) bool {
	gone := maps.Clone(s.gone)
	for _, c := range all {
		gone[c] = true
	}
	if !s.asBefore(ctx, gone) {
		return false
	}
	s.gone = gone
	return true
}

func (s *search) asBefore(ctx context.Context, gone map[candidate]bool) bool {
	if s.err != nil {
		return false
	}
	if s.tries++; s.options.Tried != nil {
		s.options.Tried(s.tries)
	}
	got, err := s.options.Review(ctx, s.rendered(gone))
	if err != nil {
		s.err = fmt.Errorf("reviewing what is left: %w", err)
		return false
	}
	return slices.Equal(got, s.want)
}

// rendered returns the objects without what is gone. An object that is left out is nil, so that the others keep
// their positions.
func (s *search) rendered(gone map[candidate]bool) []Object {
	all := make([]Object, len(s.objects))
	for i, o := range s.objects {
		if !gone[candidate{kind: wholeObject, object: i}] {
			all[i] = s.words.replaced(o, gone)
		}
	}
	return all
}

// shown describes what was found.
func (s *search) shown(all []candidate) Result {
	r := Result{Verdict: s.want}
	for i, o := range s.rendered(s.gone) {
		if o != nil {
			r.Objects = append(r.Objects, o)
		} else if kind, _ := s.objects[i]["kind"].(string); !slices.Contains(r.Left, kind) {
			r.Left = append(r.Left, kind)
		}
	}
	r.Needed = s.needed(all)
	return r
}

// needed lists what stays although it might have been replaced: values as they are shown, and words that are
// in none of these.
func (s *search) needed(all []candidate) []string {
	var needed []string
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(a.kind, b.kind) })
	for _, c := range all {
		switch {
		case s.gone[c] || c.kind == wholeObject:
		case c.kind == wholeValue:
			needed = append(needed, s.words.inside(c.text, s.gone))
		case !strings.Contains(strings.ToLower(strings.Join(needed, " ")), c.text):
			needed = append(needed, c.text)
		}
	}
	slices.Sort(needed)
	return slices.Compact(needed)
}
