package audit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/forestall/forestall/internal/cluster"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/review"
)

// Options say what an audit reads.
type Options struct {
	// Paths are files, folders, which are read with all that is below them, and "-"
	// for Stdin.
	Paths []string
	Stdin io.Reader
	// MaxDocument is the size in bytes beyond which a document is an error; 0 is 16 MiB.
	MaxDocument int
	// Keep keeps the text of the files, which Fix needs.
	Keep bool
	// Progress, if set, is told how far the audit is.
	Progress Progress
	// Complete says that the files hold everything that runs in their namespaces. Without
	// it an object that is not in them may exist all the same.
	Complete bool
}

const defaultMaxDocument = 16 << 20

// Set is all that one run has read.
type Set struct {
	// counts has all but what a review finds.
	counts Result
	// documents are those with objects or errors.
	documents []document
	cluster   *cluster.Store
	progress  Progress
	// texts of the files that could be read, in order; only with Keep.
	texts []File
	keep  bool
}

// File is a file of a Set.
type File struct {
	Name string
	Text []byte
}

// Object is one object of a Set.
type Object struct {
	Source  finding.Source
	Subject review.Subject
}

// Load reads everything that the options name. What cannot be read becomes an
// error of the Set; Load itself fails only when the context ends.
func Load(ctx context.Context, o Options) (*Set, error) {
	s := &Set{progress: o.Progress, keep: o.Keep, cluster: cluster.OfFiles(o.Complete)}
	limit := o.MaxDocument
	if limit <= 0 {
		limit = defaultMaxDocument
	}
	var texts []unread
	found := inputs(o.Paths, o.Stdin)
	for i, in := range found {
		more, err := s.readFile(ctx, in, limit)
		if err != nil {
			return nil, err
		}
		texts = append(texts, more...)
		o.Progress.report(Reading, i+1, len(found))
	}
	parsed := make([][]document, len(texts))
	err := o.Progress.stage(ctx, Parsing, len(texts), func(i int) {
		parsed[i] = texts[i].documents(limit)
		texts[i] = unread{}
	})
	if err != nil {
		return nil, err
	}
	for _, documents := range parsed {
		for _, d := range documents {
			s.take(d)
		}
	}
	s.connect()
	return s, nil
}

// take counts a document, and keeps it if there is something in it.
func (s *Set) take(d document) {
	if !d.missing {
		s.counts.Documents++
	}
	if d.skipped {
		s.counts.Skipped++
	}
	s.counts.Objects += len(d.objects)
	if len(d.objects) > 0 || len(d.errors) > 0 {
		s.documents = append(s.documents, d)
	}
}

// unread is a text of a file, or why there is none.
type unread struct {
	source finding.Source
	text   text
	err    error
}

func (u unread) documents(limit int) []document {
	if u.err == nil {
		return reader{file: u.source.File, limit: limit}.read(u.text)
	}
	d := document{source: u.source, lines: &jsonLines{}, missing: true}
	d.fail(u.source.Line, u.err)
	return []document{d}
}

// readFile cuts one file into texts.
func (s *Set) readFile(ctx context.Context, in input, limit int) ([]unread, error) {
	broken := func(line int, err error) unread {
		return unread{source: finding.Source{File: in.name, Line: line}, err: err}
	}
	if in.err != nil {
		return []unread{broken(0, in.err)}, ctx.Err()
	}
	file, err := in.open()
	if err != nil {
		return []unread{broken(0, reason(err))}, ctx.Err()
	}
	defer func() { _ = file.Close() }()
	s.counts.Files++
	var kept bytes.Buffer
	from := io.Reader(file)
	if s.keep {
		from = io.TeeReader(file, &kept)
	}
	var texts []unread
	for split := newSplitter(from, limit); ; {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("%s: %w", Reading, err)
		}
		t, err := split.next()
		switch {
		case errors.Is(err, io.EOF):
			if s.keep {
				s.texts = append(s.texts, File{Name: in.name, Text: kept.Bytes()})
			}
			return texts, nil
		case err != nil:
			return append(texts, broken(t.line, reason(err))), nil
		}
		texts = append(texts, unread{source: finding.Source{File: in.name}, text: t})
	}
}

// connect makes every object known to all others.
func (s *Set) connect() {
	for i := range s.documents {
		d := &s.documents[i]
		for _, o := range d.objects {
			if err := s.cluster.Add(o.APIVersion, o.Kind, o.raw); err != nil {
				d.fail(d.lines.line(o.raw, o.at, ""), err)
			}
		}
		d.lines.forget()
	}
}

// Cluster tells what the Set holds, as the context of reviews.
func (s *Set) Cluster() *cluster.Store { return s.cluster }

// Objects lists the objects of the Set in order.
func (s *Set) Objects() []Object {
	var all []Object
	for i := range s.documents {
		d := &s.documents[i]
		for _, o := range d.objects {
			line := d.lines.line(o.raw, o.at, "")
			all = append(all, Object{Source: finding.Source{File: d.source.File, Line: line}, Subject: o.subject()})
		}
		d.lines.forget()
	}
	return all
}

// Errors lists what could not be read, in order.
func (s *Set) Errors() []Error {
	var all []Error
	for i := range s.documents {
		all = append(all, s.documents[i].errors...)
	}
	return all
}
