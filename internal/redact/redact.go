// Package redact makes manifests that can be shown to others: names, addresses, images and values are replaced by
// placeholders, the same ones everywhere, and the verdict stays as it was. This is not hoped for but proved: the
// result is reviewed, and whatever a verdict needs is left as it is.
package redact

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/forestall/forestall/internal/finding"
)

// Object is an object as it is decoded from JSON.
type Object = map[string]any

// Verdict is what a review says of objects, in order.
type Verdict []Finding

// Finding is what does not depend on names in a finding.
type Finding struct {
	// Object is the position of the object, and Container that of the container in it; -1 for none.
	Object, Container int
	Rule              string
	Level             finding.Level
	Path              string
}

func (f Finding) compare(other Finding) int {
	return cmp.Or(
		cmp.Compare(f.Object, other.Object), cmp.Compare(f.Container, other.Container), cmp.Compare(f.Rule, other.Rule),
		cmp.Compare(f.Path, other.Path), cmp.Compare(f.Level, other.Level),
	)
}

// Review judges objects. One that is nil was left out.
type Review func(ctx context.Context, objects []Object) (Verdict, error)

// Options say how to redact.
type Options struct {
	// Review is asked about the original, and about each attempt.
	Review Review
	// Judged reports whether an object is one that rules judge. Others are left out if no verdict needs them.
	Judged func(Object) bool
	// Public are texts whose words are known to everybody, such as names of programs. They stay where
	// they are part of a command or an image.
	Public [][]byte
	// Keep are words that stay wherever they are.
	Keep []string
	// Tried, if set, is called with the number of attempts so far.
	Tried func(n int)
}

// Result is what can be shown.
type Result struct {
	Objects []Object
	// Verdict of the objects, which is that of the original.
	Verdict Verdict
	// Needed are the words and values that a verdict needs, and that were not replaced for that.
	Needed []string
	// Left are the kinds of the objects that were left out, since no verdict needs them.
	Left []string
}

// ErrOther is the error where even what is never shown decides.
var ErrOther = errors.New("without its status and other fields that are never shown, the verdict is another one")

// Do redacts objects.
func Do(ctx context.Context, originals []Object, o Options) (Result, error) {
	want, err := o.Review(ctx, originals)
	if err != nil {
		return Result{}, fmt.Errorf("reviewing the original: %w", err)
	}
	s := search{options: o, want: want}
	for _, object := range originals {
		bare, err := stripped(object)
		if err != nil {
			return Result{}, err
		}
		s.objects = append(s.objects, bare)
	}
	s.words = collect(s.objects, vocabulary(o.Public), o.Keep)
	return s.result(ctx)
}

// stripped returns a copy of what may be shown of an object at all: nothing that a cluster has written
// about it.
func stripped(o Object) (Object, error) {
	raw, err := json.Marshal(o)
	if err != nil {
		return nil, fmt.Errorf("copying an object: %w", err)
	}
	var bare Object
	if err := json.Unmarshal(raw, &bare); err != nil {
		return nil, fmt.Errorf("copying an object: %w", err)
	}
	delete(bare, "status")
	if meta, ok := bare["metadata"].(Object); ok {
		kept := []string{"name", "generateName", "namespace", "labels", "annotations", "ownerReferences"}
		for field := range meta {
			if !slices.Contains(kept, field) {
				delete(meta, field)
			}
		}
		if notes, ok := meta["annotations"].(Object); ok { // it holds the object once more
			delete(notes, "kubectl.kubernetes.io/last-applied-configuration")
		}
	}
	return bare, nil
}
