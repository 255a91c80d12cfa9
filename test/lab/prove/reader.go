package prove

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
)

// podChangesQueued bounds the changes of pods that wait to be looked at; the cache
// holds back those that come after.
const podChangesQueued = 64

// cacheReader reads what the API server has told without being asked again.
type cacheReader struct{ cache.Cache }

// watch begins to follow the objects of the lab.
func (p *prover) watch(ctx context.Context) (*cacheReader, error) {
	c, err := cache.New(p.Lab.Config, cache.Options{})
	if err != nil {
		return nil, fmt.Errorf("watching the lab: %w", err)
	}
	go func() { _ = c.Start(ctx) }() // ends with ctx
	if !c.WaitForCacheSync(ctx) {
		return nil, fmt.Errorf("watching the lab: %w", context.Cause(ctx))
	}
	return &cacheReader{c}, nil
}

// podChanges are the pods of a namespace, each time one of them changes, until ctx
// ends.
func (c *cacheReader) podChanges(ctx context.Context, namespace string) (<-chan *corev1.Pod, error) {
	informer, err := c.GetInformer(ctx, &corev1.Pod{})
	if err != nil {
		return nil, fmt.Errorf("watching pods: %w", err)
	}
	changes := make(chan *corev1.Pod, podChangesQueued)
	tell := func(object any) {
		if p, ok := object.(*corev1.Pod); ok && p.Namespace == namespace {
			select {
			case changes <- p:
			case <-ctx.Done():
			}
		}
	}
	handler, err := informer.AddEventHandler(toolscache.ResourceEventHandlerFuncs{
		AddFunc:    tell,
		UpdateFunc: func(_, object any) { tell(object) },
	})
	if err != nil {
		return nil, fmt.Errorf("watching pods: %w", err)
	}
	context.AfterFunc(ctx, func() { _ = informer.RemoveEventHandler(handler) }) // fails only where it is gone
	return changes, nil
}
