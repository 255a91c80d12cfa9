package diagnosis

import (
	"context"
	"fmt"
	"iter"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/review"
	"github.com/forestall/forestall/internal/workload"
)

// Examine makes a Diagnosis of one workload, from a source that holds all of its namespace. Beside the workload it
// looks at those of its pods that differ from it, and at the Services that select its pods.
func Examine(ctx context.Context, r *review.Reviewer, source audit.Source, kinds workload.Table, of finding.Object) (Diagnosis, error) {
	s := &part{Source: source, of: of}
	if err := s.look(ctx, kinds); err != nil {
		return Diagnosis{}, fmt.Errorf("looking for %s %q: %w", of.Kind, of.Name, err)
	}
	var found audit.Result
	if _, err := (audit.Run{Reviewer: r, Source: s, Sink: &found}).Do(ctx); err != nil {
		return Diagnosis{}, fmt.Errorf("judging %s %q: %w", of.Kind, of.Name, err)
	}
	return Of(of, s.pods, found), nil
}

// part is the part of a Source that is about one workload.
type part struct {
	audit.Source
	of     finding.Object
	labels map[string]string
	pods   int
}

// look finds the workload in the source, with the labels of its pods.
func (p *part) look(ctx context.Context, kinds workload.Table) error {
	for b, err := range p.Source.Batches(ctx) {
		if err != nil {
			return err
		}
		for i := range b.Objects {
			if objectOf(&b.Objects[i]) != p.of {
				continue
			}
			p.pods = b.Objects[i].Pods
			if v, err := kinds.FromObject(b.Objects[i].Subject.Object); err == nil {
				p.labels = v.PodMeta.Labels
			}
			return nil
		}
	}
	return nil // one that runs nothing, such as an old ReplicaSet
}

// Batches yields the part.
func (p *part) Batches(ctx context.Context) iter.Seq2[audit.Batch, error] {
	return func(yield func(audit.Batch, error) bool) {
		for b, err := range p.Source.Batches(ctx) {
			var mine []audit.Object
			for i := range b.Objects {
				if p.concerns(&b.Objects[i]) {
					mine = append(mine, b.Objects[i])
				}
			}
			b.Objects = mine
			if !yield(b, err) {
				return
			}
		}
	}
}

func (p *part) concerns(o *audit.Object) bool {
	switch {
	case objectOf(o) == p.of, o.Beside != nil && *o.Beside == p.of:
		return true
	case o.Subject.Kind.Kind == "Service" && o.Subject.Kind.Group == "" && o.Subject.Namespace == p.of.Namespace:
		return selects(o.Subject.Object, p.labels)
	}
	return false
}

func objectOf(o *audit.Object) finding.Object {
	s := &o.Subject
	return finding.Object{APIVersion: s.Kind.GroupVersion().String(), Kind: s.Kind.Kind, Namespace: s.Namespace, Name: s.Name}
}
