package webhook

import (
	"context"
	"errors"

	"github.com/forestall/forestall/internal/workload"
)

// shares are what the bodies of each namespace take that are of about this size.
func (b *body) shares() *shares {
	if cap(b.bytes) > maxSmall+spare {
		return &b.of.large
	}
	return &b.of.small
}

// count counts the body for a namespace. It returns errNamespaceMemory where the bodies of the
// namespace take too much already.
func (b *body) count(namespace string) error {
	if b.counted {
		return nil
	}
	if !b.shares().add(namespace, int64(cap(b.bytes))) {
		return errNamespaceMemory
	}
	b.namespace, b.counted = namespace, true
	return nil
}

// await waits, with heavy objects in the body, until they may be decoded. It returns
// errNamespaceMemory where the namespace may not wait with so much, and errNoTurn or
// errNamespaceTurn when the context ends first.
func (b *body) await(ctx context.Context) error {
	weight := workload.MostWeight(b.bytes)
	if len(b.bytes) <= maxSmall && weight <= maxLight {
		return nil
	}
	if err := b.count(peekNamespace(b.bytes)); err != nil {
		return err
	}
	switch err := b.take(ctx, b.of.heavy, weight); {
	case errors.Is(err, errNamespaceBusy):
		return errNamespaceTurn
	case err != nil:
		return errNoTurn
	}
	return nil
}

// awaitReview waits, with light objects, until they may be reviewed. It returns errBusy or
// errNamespaceBusy when the context ends first.
func (b *body) awaitReview(ctx context.Context) error {
	if b.turn != nil {
		return nil
	}
	return b.take(ctx, b.of.light, workload.MostWeight(b.bytes))
}

func (b *body) take(ctx context.Context, from *queue, weight int64) error {
	if err := from.acquire(ctx, b.namespace, weight); err != nil {
		return err
	}
	b.turn, b.weight = from, weight
	return nil
}
