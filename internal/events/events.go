// Package events tells people about problems in what controllers create. A controller
// reads no warnings, so an Event on the owner says it: kubectl describe shows it there.
//
// Whoever reaches the webhook can make it tell something: an owner is what a request says. So an
// Event is written only where objects are judged, about an owner that the API server confirms, and
// each namespace has its share. All of that happens beside the requests, which wait for nothing.
package events

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/record"

	"github.com/forestall/forestall/internal/explain"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/review"
)

// component is who the Events are from, and reason what they are about.
const (
	component = "forestall"
	reason    = "FailurePredicted"
)

// qps and burst bound the requests of each replica to the API server, in a second and at once.
const qps, burst = 20, 40

// Result is what became of an Event: a label of a metric.
type Result string

// The results. Only the first is written.
const (
	Confirmed   Result = "confirmed"   // the owner exists: it is told
	Unjudged    Result = "unjudged"    // in a namespace of which the API server asks nothing
	Limited     Result = "limited"     // too many of one namespace, or of all
	Unconfirmed Result = "unconfirmed" // there is no such owner
	Failed      Result = "failed"      // the API server cannot be asked, or the credentials lack the verb get
)

// Options configure a Recorder.
type Options struct {
	// Config reaches the API server. Its credentials need create and patch on events, and get on the
	// resources of Owners: without that, nothing is written.
	Config *rest.Config
	// Unjudged are namespaces of which the API server asks nothing.
	Unjudged []string
	// Known reports whether a namespace is known to exist. Those that are not share one share. Nil
	// knows none.
	Known func(namespace string) bool
	// Count is called with what became of each Event, concurrently; nil for nobody.
	Count func(Result)
	// Log is told when owners cannot be asked for, once.
	Log logr.Logger
}

// Recorder writes Events. Those that come again and again are counted up in one (the limits are
// client-go's). It is safe for concurrent use.
type Recorder struct {
	Options
	client   kubernetes.Interface
	broad    record.EventBroadcaster
	recorder record.EventRecorder
	owners   owners
	shares   *shares
	queue    chan told
	failed   sync.Once
}

// told is an Event that waits.
type told struct {
	owner   review.Owner
	message string
	done    func()
}

// New returns a Recorder that writes when it is started.
func New(o Options) (*Recorder, error) {
	config := rest.CopyConfig(o.Config)
	config.QPS, config.Burst = qps, burst
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("making a client for events: %w", err)
	}
	owners, err := newOwners(config)
	if err != nil {
		return nil, err
	}
	if o.Count == nil {
		o.Count = func(Result) {}
	}
	broad := record.NewBroadcaster()
	return &Recorder{
		Options: o, client: client, broad: broad, owners: owners, shares: newShares(), queue: make(chan told, maxWaiting),
		recorder: broad.NewRecorder(scheme.Scheme, corev1.EventSource{Component: component}),
	}, nil
}

// Start writes Events until ctx ends.
func (r *Recorder) Start(ctx context.Context) error {
	defer r.broad.Shutdown()
	sink := r.broad.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: r.client.CoreV1().Events("")})
	defer sink.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case t := <-r.queue:
			t.done()
			r.write(ctx, t)
		}
	}
}

// NeedLeaderElection says that every replica writes the Events of its own requests.
func (*Recorder) NeedLeaderElection() bool { return false }

// Tell queues an Event on the owner of an object, or drops it. It waits for nothing.
func (r *Recorder) Tell(owner review.Owner, object finding.Object, findings []finding.Finding) {
	if slices.Contains(r.Unjudged, owner.Namespace) {
		r.Count(Unjudged)
		return
	}
	if !possible(owner) {
		r.Count(Unconfirmed)
		return
	}
	namespace := owner.Namespace
	if r.Known == nil || !r.Known(namespace) {
		namespace = ""
	}
	done, ok := r.shares.take(namespace)
	if !ok {
		r.Count(Limited)
		return
	}
	select {
	case r.queue <- told{owner, explain.Event(object, findings), done}:
	default:
		done()
		r.Count(Limited)
	}
}

// write passes an Event on, if the owner is what it is said to be.
func (r *Recorder) write(ctx context.Context, t told) {
	is, err := r.owners.confirm(ctx, t.owner)
	switch {
	case err != nil:
		r.Count(Failed)
		r.failed.Do(func() {
			r.Log.Error(err, "No Event is written about owners that cannot be read; this is not logged again")
		})
	case !is:
		r.Count(Unconfirmed)
	default:
		r.Count(Confirmed)
		r.recorder.Event(&corev1.ObjectReference{
			APIVersion: t.owner.APIVersion, Kind: t.owner.Kind,
			Namespace: t.owner.Namespace, Name: t.owner.Name, UID: types.UID(t.owner.UID),
		}, corev1.EventTypeWarning, reason, t.message)
	}
}
