package certs

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/cache"
)

// writeTimeout is how long a write may take: an API server that answers nothing must not
// keep serving certificates from being renewed.
const writeTimeout = 15 * time.Second

// ownLabel marks a Secret that an Authority has made, or filled.
const ownLabel, ownValue = "app.kubernetes.io/part-of", "forestall"

// errForeign keeps a Secret as it is that a wrong name leads to: it may be the only place of somebody's key.
var errForeign = errors.New("it holds something and has not the label " + ownLabel + "=" + ownValue + ": it is left alone; " +
	"name another Secret, or put the label on this one if it may be written over")

// foreign reports whether a Secret is somebody else's. An empty one was made for us, by who gives no right to create Secrets.
func foreign(seen *corev1.Secret) bool {
	return seen != nil && len(seen.Data) > 0 && seen.Labels[ownLabel] != ownValue
}

// secret is one Secret as the API server last showed it. It is the store of a reflector
// that lists and watches that one alone.
type secret struct {
	client  typedcorev1.SecretInterface
	name    string
	changed chan struct{} // holds one if it may have changed since the last look

	mu     sync.Mutex
	synced bool           // whether it is known if it exists
	last   *corev1.Secret // nil if it does not
	err    error          // why it could not be read the last time
}

func newSecret(client typedcorev1.SecretInterface, name string) *secret {
	return &secret{client: client, name: name, changed: make(chan struct{}, 1)}
}

// watch follows the Secret until ctx ends. It tries again, ever more slowly, what fails.
func (s *secret) watch(ctx context.Context) {
	selector := fields.OneTermEqualSelector(metav1.ObjectNameField, s.name).String()
	reads := &cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
			o.FieldSelector = selector
			list, err := s.client.List(ctx, o)
			return list, s.noted(err)
		},
		WatchFuncWithContext: func(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
			o.FieldSelector = selector
			w, err := s.client.Watch(ctx, o)
			return w, s.noted(err)
		},
	}
	cache.NewReflectorWithOptions(reads, &corev1.Secret{}, s, cache.ReflectorOptions{Name: "ca-secret"}).RunWithContext(ctx)
}

func (s *secret) noted(err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err = err
	return err
}

// seen returns the Secret, nil if there is none, and whether that is known.
func (s *secret) seen() (last *corev1.Secret, known bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last, s.synced
}

// failure returns why the Secret could not be read the last time, or nil.
func (s *secret) failure() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		return nil
	}
	return fmt.Errorf("reading the Secret of the CA: %w", s.err)
}

// write puts data into the Secret that was seen, or makes the first one. It returns errForeign for one of
// somebody else. That somebody
// was faster is no error: what they wrote is seen in a moment.
func (s *secret) write(ctx context.Context, before *corev1.Secret, data map[string][]byte) error {
	if foreign(before) {
		return errForeign
	}
	ctx, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	var err error
	if before == nil {
		_, err = s.client.Create(ctx, &corev1.Secret{
			ObjectMeta: metav1.ObjectMeta{
				Name:   s.name,
				Labels: map[string]string{ownLabel: ownValue},
				// cert-manager's CA injector reads only Secrets that say so
				// (AllowsInjectionFromSecretAnnotation in pkg/apis/certmanager/v1).
				Annotations: map[string]string{"cert-manager.io/allow-direct-injection": "true"},
			},
			Data: data,
		}, metav1.CreateOptions{})
	} else {
		after := before.DeepCopy() // with its resourceVersion: what was not seen is not written over
		if after.Data == nil {
			after.Data = map[string][]byte{}
		}
		maps.Copy(after.Data, data)
		if after.Labels == nil {
			after.Labels = map[string]string{}
		}
		after.Labels[ownLabel] = ownValue // what was given empty is ours from now on
		_, err = s.client.Update(ctx, after, metav1.UpdateOptions{})
	}
	if err == nil || apierrors.IsAlreadyExists(err) || apierrors.IsConflict(err) {
		return nil
	}
	return fmt.Errorf("writing the Secret of the CA: %w", err)
}

// Add takes in the Secret when it is new.
func (s *secret) Add(object any) error { return s.take(object) }

// Update takes in the Secret when it has changed.
func (s *secret) Update(object any) error { return s.take(object) }

// Delete notes that there is none.
func (s *secret) Delete(any) error {
	s.set(nil)
	return nil
}

// Replace takes in a list: from now on it is known whether the Secret exists.
func (s *secret) Replace(objects []any, _ string) error {
	if len(objects) > 0 {
		return s.take(objects[0])
	}
	return s.Delete(nil)
}

// Resync has nothing to do: the Authority looks by itself.
func (*secret) Resync() error { return nil }

func (s *secret) take(object any) error {
	last, ok := object.(*corev1.Secret)
	if !ok || last.Name != s.name {
		return fmt.Errorf("the API server sent a %T where Secret %s was expected", object, s.name)
	}
	s.set(last)
	return nil
}

func (s *secret) set(last *corev1.Secret) {
	s.mu.Lock()
	s.synced, s.last = true, last
	s.mu.Unlock()
	select {
	case s.changed <- struct{}{}:
	default:
	}
}
