package live

import (
	"context"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
)

// api lists and watches one kind.
type api[L runtime.Object] interface {
	List(ctx context.Context, o metav1.ListOptions) (L, error)
	Watch(ctx context.Context, o metav1.ListOptions) (watch.Interface, error)
}

// table is the part of a cluster.Table that is fed.
type table[T any] interface {
	Put(o T)
	Delete(o T)
	Replace(all []T)
	Known(mayBe string)
	Unknown(reason string)
}

// watched returns a kind whose objects, of type O, are kept as T in a table. mayBe, if not
// empty, says why there may be more objects than were read.
func watched[L runtime.Object, O, T any](name string, from api[L], into table[T], keep func(*O) T, mayBe string) *kind {
	k := &kind{
		name:  name,
		known: func() { into.Known(mayBe) },
		lost:  into.Unknown,
	}
	reads := &cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
			list, err := from.List(ctx, o)
			return list, k.noted(ctx, err)
		},
		WatchFuncWithContext: func(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
			w, err := from.Watch(ctx, o)
			if err == nil && o.SendInitialEvents == nil {
				k.resumed()
			}
			return w, k.noted(ctx, err)
		},
	}
	var example any = new(O)
	k.reflector = cache.NewReflectorWithOptions(reads, example, &intake[O, T]{into, keep, k.read}, cache.ReflectorOptions{Name: name, Backoff: backoff()})
	return k
}

// backoff is how long the library waits after attempts that failed: 0.8 seconds, then twice as long each
// time up to 10, and with chance up to twice that. Its own default goes up to a minute, so long nothing
// would be denied after the API server is back. These are three requests of each replica.
func backoff() *wait.Backoff {
	const first, most = 800 * time.Millisecond, 10 * time.Second
	return &wait.Backoff{Duration: first, Cap: most, Steps: int(most / first), Factor: 2, Jitter: 1}
}

// noted passes an error on. It notes the error as well, unless ctx has ended.
func (k *kind) noted(ctx context.Context, err error) error {
	if err != nil && ctx.Err() == nil {
		k.failed(err)
	}
	return err
}

// intake receives objects from a reflector, and puts into a table what is kept of them.
type intake[O, T any] struct {
	into table[T]
	keep func(*O) T
	read func()
}

// Add takes in an object that is new.
func (i *intake[O, T]) Add(object any) error { return i.with(object, i.into.Put) }

// Update takes in an object that has changed.
func (i *intake[O, T]) Update(object any) error { return i.with(object, i.into.Put) }

// Delete takes out an object.
func (i *intake[O, T]) Delete(object any) error { return i.with(object, i.into.Delete) }

func (i *intake[O, T]) with(object any, do func(T)) error {
	switch o := object.(type) {
	case *slim[T]:
		do(o.kept)
	case *O:
		do(i.keep(o))
	default:
		return fmt.Errorf("the API server sent a %T where a %T was expected", object, new(O))
	}
	return nil
}

// slim is what is kept of an object, under its name.
type slim[T any] struct {
	metav1.ObjectMeta
	kept T
}

// Transformer makes objects slim as they come. The library holds all of them in memory until the list
// is complete, and each may be as large as etcd takes.
func (i *intake[O, T]) Transformer() cache.TransformFunc {
	return func(object any) (any, error) {
		o, ok := object.(*O)
		if !ok {
			return object, nil // slim already
		}
		all, err := meta.Accessor(o)
		if err != nil {
			return nil, fmt.Errorf("reading the name of a %T: %w", o, err)
		}
		name := metav1.ObjectMeta{Namespace: all.GetNamespace(), Name: all.GetName(), ResourceVersion: all.GetResourceVersion()}
		return &slim[T]{ObjectMeta: name, kept: i.keep(o)}, nil
	}
}

// Replace takes in a list: from now on the kind is known.
func (i *intake[O, T]) Replace(objects []any, _ string) error {
	all := make([]T, 0, len(objects))
	for _, object := range objects {
		if err := i.with(object, func(o T) { all = append(all, o) }); err != nil {
			return err
		}
	}
	i.into.Replace(all)
	i.read()
	return nil
}

// Resync has nothing to do: nobody is told of objects.
func (*intake[O, T]) Resync() error { return nil }
