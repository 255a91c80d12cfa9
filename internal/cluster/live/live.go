// Package live feeds a cluster.Store with what exists in a running cluster. A reflector for
// each kind lists and watches it, and only the Store keeps anything: there is no second copy, and
// a review never asks the API.
package live

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/runtime"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"

	"github.com/forestall/forestall/internal/cluster"
)

// DefaultPatience is the Patience of Options that set none.
const DefaultPatience = 30 * time.Second

// Options configure a Feeder.
type Options struct {
	// Config reaches the API server. Its credentials need the verbs list and watch on
	// services, limitranges and namespaces of the core group; a kind that they cannot read
	// stays unknown.
	Config *rest.Config
	// Patience is how long a Feeder waits for a kind that cannot be read: so long it is not
	// ready, and so long a kind that was read before still counts as known; 0 for
	// DefaultPatience.
	Patience time.Duration
	// Log is told when a kind stays or becomes unknown, and when it is known again.
	Log logr.Logger
}

// Feeder watches Services, LimitRanges and Namespaces, each on its own.
type Feeder struct {
	store    *cluster.Store
	kinds    []*kind
	patience time.Duration

	mu      sync.Mutex
	started bool
	patient bool // while kinds that cannot be read are waited for
}

// New returns a Feeder that watches when it is started.
func New(o Options) (*Feeder, error) {
	client, err := typedcorev1.NewForConfig(compact(o.Config))
	if err != nil {
		return nil, fmt.Errorf("making a client for the cluster's context: %w", err)
	}
	f := &Feeder{store: &cluster.Store{}, patience: cmp.Or(o.Patience, DefaultPatience)}
	f.kinds = kinds(client, f.store)
	for _, k := range f.kinds {
		k.patience, k.log = f.patience, o.Log.WithValues("kind", k.name)
	}
	return f, nil
}

// compact asks for the encoding that takes least memory and time to decode: objects of others may be
// as large as etcd takes.
func compact(c *rest.Config) *rest.Config {
	c = rest.CopyConfig(c)
	c.ContentType = runtime.ContentTypeProtobuf
	c.AcceptContentTypes = runtime.ContentTypeProtobuf + "," + runtime.ContentTypeJSON
	return c
}

// kinds returns the kinds that are watched, a line for each.
func kinds(client typedcorev1.CoreV1Interface, s *cluster.Store) []*kind {
	// Objects are created in namespaces that exist: one that is not there is too new.
	const tooNew = "the namespace has not been seen yet"
	return []*kind{
		watched("Service", client.Services(""), &s.Services, cluster.ServiceOf, ""),
		watched("LimitRange", client.LimitRanges(""), &s.LimitRanges, cluster.LimitRangeOf, ""),
		watched("Namespace", client.Namespaces(), &s.Namespaces, cluster.NamespaceOf, tooNew),
	}
}

// Store returns the Store that the Feeder feeds. A kind is unknown until it was listed.
func (f *Feeder) Store() *cluster.Store { return f.store }

// Start watches until ctx ends.
func (f *Feeder) Start(ctx context.Context) error {
	// The library logs every attempt that fails; the Feeder tells of it once.
	quiet := klog.NewContext(ctx, logr.Discard())
	var running sync.WaitGroup
	defer running.Wait()
	for _, k := range f.kinds {
		k.begin()
		running.Go(func() {
			defer k.end()
			k.reflector.RunWithContext(quiet)
		})
	}
	f.setPatient(true)
	select {
	case <-ctx.Done():
		return nil
	case <-time.After(f.patience):
	}
	f.setPatient(false)
	for _, k := range f.kinds {
		k.tellUnread()
	}
	<-ctx.Done()
	return nil
}

func (f *Feeder) setPatient(patient bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.started, f.patient = true, patient
}

// NeedLeaderElection says that every replica has its own Feeder.
func (*Feeder) NeedLeaderElection() bool { return false }

// Ready returns why requests cannot be answered well yet, or nil. A Feeder does not wait longer
// than its Patience for a kind that cannot be read: then requests are answered with that kind
// unknown.
func (f *Feeder) Ready() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case !f.started:
		return errors.New("nothing has been read of the cluster yet")
	case f.patient:
		return errors.Join(f.Unknown()...)
	}
	return nil
}

// Unknown returns, for each kind that is not known, why it is not.
func (f *Feeder) Unknown() []error {
	var all []error
	for _, k := range f.kinds {
		if err := k.unknown(); err != nil {
			all = append(all, err)
		}
	}
	return all
}

// Synced tells for each kind whether it is known.
func (f *Feeder) Synced() map[string]bool {
	all := make(map[string]bool, len(f.kinds))
	for _, k := range f.kinds {
		all[k.name] = k.unknown() == nil
	}
	return all
}
