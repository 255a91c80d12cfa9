package audit

import (
	"context"
	"iter"

	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/review"
)

// Source is where the objects of a run come from.
type Source interface {
	// Batches yields everything in order, a batch at a time. An error ends it.
	Batches(ctx context.Context) iter.Seq2[Batch, error]
	// Counts returns what is known before the first review: everything but what reviews find.
	Counts() Summary
}

// Batch is what a source yields at once: a document of a file, a page of a list.
type Batch struct {
	Objects []Object
	// Errors are what could not be read.
	Errors []Error
	// Size is about how many bytes the batch takes. It bounds how many batches wait at once.
	Size int
}

// Object is one object that is there.
type Object struct {
	Subject review.Subject
	// Find returns the place of a field in a file; the empty path is the object itself. It is nil
	// where the object comes from no file. One goroutine at a time calls it.
	Find func(path string) finding.Source
	// Pods is how many pods of a running cluster the object stands for.
	Pods int
	// Observed says that a running cluster was asked about the object, and Symptoms what it reports.
	Observed bool
	Symptoms []finding.Symptom
	// Beside, for a pod that differs from the template of its workload, is that workload: findings that the workload
	// has, too, are told there. It is nil for everything else.
	Beside *finding.Object
}

// Place returns where the field of a path stands, as far as that is known.
func (o *Object) Place(path string) finding.Source {
	if o.Find == nil {
		return finding.Source{}
	}
	return o.Find(path)
}
