package review

import (
	"errors"

	"github.com/forestall/forestall/internal/facts"
	"github.com/forestall/forestall/internal/workload"
)

// judged is an object as rules judge it.
type judged struct {
	// view of its pod template; of an object without one, its names alone.
	view *workload.View
	// other is set for an object without a pod template.
	other *facts.Other
	raw   []byte
	// manifest is what the text says that somebody wrote, in an audit; wrong are its values of wrong types.
	manifest *facts.Manifest
	wrong    []*workload.FieldError
	// unknownOwner is true where the object was not decoded, and not even its owner could be read.
	unknownOwner bool
}

// read decodes an object. The error wraps workload.ErrNotJudged where rules judge nothing of its kind. Of what
// a request brings nothing more is to be known than what the API server has decoded.
func (r *Reviewer) read(s Subject, raw []byte) (*judged, error) {
	j, err := r.decode(s, raw)
	if err == nil && s.Operation == Audit && !s.Stored {
		j.manifest, j.wrong = facts.ReadManifest(facts.Written{Kind: s.Kind, Raw: raw, Repeated: s.Repeated}, j.view)
	}
	return j, err
}

func (r *Reviewer) decode(s Subject, raw []byte) (*judged, error) {
	view, err := r.settings.Kinds.FromObject(raw)
	if err == nil {
		return &judged{view: view, raw: raw}, nil
	}
	if !errors.Is(err, workload.ErrNotJudged) {
		return nil, err
	}
	other, known, otherErr := facts.ReadOther(s.Kind, raw)
	switch {
	case !known:
		return nil, err
	case otherErr != nil:
		return nil, otherErr
	}
	return &judged{view: workload.WithoutTemplate(other.Kind, other.Meta), other: other, raw: raw}, nil
}

// changed reports whether anything has changed that rules judge.
func (j *judged) changed(old *judged) bool {
	if j.other != nil && old.other != nil {
		return j.other.Changed(old.other)
	}
	return j.view.Changed(old.view)
}

// partial says why the object of a file is a part of one; empty where it may be whole, and for requests: the API
// server takes no parts.
func (j *judged) partial(s Subject) string {
	if s.Operation != Audit || s.Stored || j.other != nil || j.raw == nil {
		return ""
	}
	return j.view.Partial(j.raw)
}
