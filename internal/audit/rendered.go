package audit

import (
	"bytes"
	"io"

	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/render"
)

// file is a file of a Set.
type file struct {
	name string
	// rendered is set for a text that was rendered of it.
	rendered *render.Text
}

// place returns where something stands that is on a line of the text, and is the field at a path of an object there.
func (f *file) place(path string, line int) finding.Source {
	switch {
	case f.rendered == nil:
		return finding.Source{File: f.name, Line: line}
	case f.rendered.Err != nil:
		return finding.Source{File: f.name, Line: f.rendered.Line}
	}
	return f.rendered.At(path, line)
}

// rendered returns texts as inputs. Several may have been made of one file.
func rendered(texts []render.Text) []input {
	var all []input
	for i := range texts {
		t := &texts[i]
		all = append(all, input{name: t.Name, err: t.Err, rendered: t, open: func() (io.ReadCloser, error) {
			return io.NopCloser(bytes.NewReader(t.Text)), nil
		}})
	}
	return all
}

// line on which an input is wrong that cannot be opened.
func (in input) line() int {
	if in.rendered == nil {
		return 0
	}
	return in.rendered.Line
}

// countFile counts an input that is read. What was rendered of one file counts once.
func (s *Set) countFile(in input) {
	if in.rendered != nil {
		if s.sources[in.name] {
			return
		}
		if s.sources == nil {
			s.sources = map[string]bool{}
		}
		s.sources[in.name] = true
	}
	s.counts.Files++
}

// partIn says why what stands in a file is a part of an object; empty where it may be whole. What was rendered is whole.
func (s *Set) partIn(f *file) string {
	if f.rendered != nil {
		return ""
	}
	return s.patches.why(f.name)
}
