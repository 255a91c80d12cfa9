package audit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/forestall/forestall/internal/cluster"
	"github.com/forestall/forestall/internal/facts"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/manifest"
	"github.com/forestall/forestall/internal/render"
	"github.com/forestall/forestall/internal/review"
	"github.com/forestall/forestall/internal/workload"
)

// Options say what an audit of files reads.
type Options struct {
	// Paths are files, folders, which are read with all that is below them, and "-"
	// for Stdin.
	Paths []string
	Stdin io.Reader
	// Rendered are texts that were rendered of charts and kustomizations. They belong to what the paths name.
	Rendered []render.Text
	// MaxDocument is the size in bytes beyond which a document is an error; 0 is 16 MiB.
	MaxDocument int
	// Keep keeps the text of the files, which Fix needs.
	Keep bool
	// Progress, if set, is told how far the audit is.
	Progress Progress
	// Complete says that the files hold everything that runs in their namespaces. Without
	// it an object that is not in them may exist all the same.
	Complete bool
	// Kinds tells where pod templates stand.
	Kinds workload.Table
	// Namespace is where objects are that write none. Where it is empty nobody knows: they are taken
	// to be in the default namespace, unless they may be in one that others write.
	Namespace string

	maxTexts int // how many bytes Keep keeps; 0 for the constant maxTexts
}

// Set is a Source: everything that one run has read from files. It reads each file once, so that
// it does not matter what becomes of the file later. It keeps the documents until they are
// reviewed, in a temporary file if there are many, and holds in memory what they say of the
// cluster.
type Set struct {
	counts  Summary
	cluster *cluster.Store
	// namespace of the objects that write none.
	namespace string
	// files are those that were named, found or tried.
	files []file
	// sources are the files of which something was rendered.
	sources map[string]bool
	// kept are the documents with objects or errors.
	kept     spool
	progress Progress
	// texts of the files that could be read, in order; only with Keep.
	texts []fileText
	keep  bool
	// patches are the files that kustomizations name as such.
	patches patches
	// filled are the files with documents, or with errors, by position.
	filled map[int]bool
	// unrendered is the number, from 1, of the last file of which it was told that objects in it are templates.
	unrendered int
	// room is how many bytes of texts may still be kept.
	room int
}

// fileText is a file of a Set.
type fileText struct {
	name, within string
	text         []byte
}

// Load reads everything that the options name. What cannot be read becomes an error of the Set.
// Load itself fails when the context ends, or when what was read cannot be kept. Callers must
// close the Set.
func Load(ctx context.Context, o Options) (*Set, error) {
	s := &Set{progress: o.Progress, keep: o.Keep, cluster: cluster.OfFiles(o.Complete), namespace: o.Namespace, filled: map[int]bool{}, room: orElse(o.maxTexts, maxTexts)}
	s.cluster.Kinds = o.Kinds
	count := counter{to: o.Progress, stage: Reading}
	files := append(inputs(o.Paths, o.Stdin), rendered(o.Rendered)...)
	for _, in := range files {
		s.files = append(s.files, file{in.name, in.rendered})
	}
	err := pipeline[unread, []read]{
		source: s.unread(ctx, files, o.MaxDocument),
		size:   func(u unread) int { return u.text.Size() },
		work:   func(_ context.Context, u unread) []read { return u.documents() },
		then: func(documents []read) error {
			count.more()
			for i := range documents {
				if err := s.take(&documents[i]); err != nil {
					return err
				}
			}
			return nil
		},
	}.run(ctx)
	if err == nil {
		err = s.missEmpty(files)
	}
	if err == nil {
		err = s.kept.flush()
	}
	if ctx.Err() != nil {
		err = count.interrupted(ctx.Err())
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// read is a document that was read.
type read struct {
	manifest.Document
	// file is the position of its file in Set.files.
	file int
	// none is set for a file that could not be read, which has no documents.
	none bool
}

// take counts a document, learns from it, and keeps it if there is something in it.
func (s *Set) take(d *read) error {
	s.filled[d.file] = true
	if !d.none {
		s.counts.Documents++
	}
	if d.Skipped {
		s.counts.Skipped++
		s.customizeUnnamed(d)
	}
	s.counts.Objects += len(d.Objects)
	s.tellOnce(d)
	if len(d.Objects)+len(d.Faults) == 0 {
		return nil
	}
	s.connect(d)
	return s.kept.add(d.Append(appendFile(nil, d.file)))
}

// tellOnce leaves out of the document that objects are templates, where that was said of another one in the same file.
func (s *Set) tellOnce(d *read) {
	d.Faults = slices.DeleteFunc(d.Faults, func(f manifest.Fault) bool {
		if !errors.Is(f.Err, manifest.ErrUnrendered) {
			return false
		}
		told := s.unrendered == d.file+1
		s.unrendered = d.file + 1
		return told
	})
}

// connect makes the objects of a document known to all others.
func (s *Set) connect(d *read) {
	for i := range d.Objects {
		o := &d.Objects[i]
		if isKustomization(o.APIVersion, o.Kind) {
			s.customize(d.file, o.JSON)
			continue
		}
		if err := s.cluster.Add(o.APIVersion, o.Kind, placed(o, s.home(&s.files[d.file]))); err != nil {
			d.Fail(d.LineOf(o, ""), err)
		}
	}
}

// Cluster returns what the Set says of the cluster, as the context of reviews.
func (s *Set) Cluster() *cluster.Store { return s.cluster }

// Counts returns how much was read.
func (s *Set) Counts() Summary { return s.counts }

// Close removes what was kept.
func (s *Set) Close() error {
	if err := s.kept.Close(); err != nil {
		return fmt.Errorf("removing what was kept: %w", err)
	}
	return nil
}

// documents yields the documents that were kept.
func (s *Set) documents(ctx context.Context) iter.Seq2[read, error] {
	return func(yield func(read, error) bool) {
		for all := s.kept.records(); ; {
			record, err := all.next()
			if errors.Is(err, io.EOF) {
				return
			}
			var d read
			if err == nil {
				d, err = decode(record)
			}
			if err == nil {
				err = ctx.Err()
			}
			if !yield(d, err) || err != nil {
				return
			}
		}
	}
}

// Batches yields the documents of the Set.
func (s *Set) Batches(ctx context.Context) iter.Seq2[Batch, error] {
	return func(yield func(Batch, error) bool) {
		for d, err := range s.documents(ctx) {
			if !yield(s.batch(&d), err) {
				return
			}
		}
	}
}

func (s *Set) batch(d *read) Batch {
	b := Batch{Size: d.size()}
	in := &s.files[d.file]
	for _, f := range d.Faults {
		b.Errors = append(b.Errors, Error{Source: in.place("", f.Line), Err: f.Err})
	}
	for i := range d.Objects {
		o := &d.Objects[i]
		b.Objects = append(b.Objects, Object{
			Subject: s.subject(in, o),
			Find:    func(path string) finding.Source { return in.place(path, d.LineOf(o, path)) },
		})
	}
	return b
}

// subject returns the object of a file as it is put under review.
func (s *Set) subject(in *file, o *manifest.Object) review.Subject {
	return review.Subject{
		Operation: review.Audit,
		Kind:      schema.FromAPIVersionAndKind(o.APIVersion, o.Kind),
		Namespace: cmp.Or(o.Namespace, s.home(in)),
		Name:      o.Name,
		Object:    o.JSON,
		Repeated:  repeatedIn(o),
		Part:      s.partIn(in),
	}
}

func repeatedIn(o *manifest.Object) []facts.RepeatedField {
	var all []facts.RepeatedField
	for _, r := range o.Repeated {
		all = append(all, facts.RepeatedField{Path: r.Path, First: r.First, Last: r.Last, Same: r.Same})
	}
	return all
}

// All returns all objects and errors of the Set at once. It is for sets that are known to be
// small.
func (s *Set) All(ctx context.Context) (objects []Object, failed []Error, err error) {
	for b, err := range s.Batches(ctx) {
		if err != nil {
			return nil, nil, err
		}
		objects, failed = append(objects, b.Objects...), append(failed, b.Errors...)
	}
	return objects, failed, nil
}

// Review judges every object of the Set, and keeps all that is found.
func (s *Set) Review(ctx context.Context, r *review.Reviewer) (Result, error) {
	var all Result
	_, err := Run{Reviewer: r, Source: s, Sink: &all, Patches: true, Progress: s.progress}.Do(ctx)
	if err != nil {
		return Result{}, err
	}
	return all, nil
}
