// Package events tells people about problems in what controllers create. A controller
// reads no warnings, so an Event on the owner says it: kubectl describe shows it there.
package events

import (
	"context"
	"fmt"

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

// Recorder writes Events. Those that are told before Start, or while too many wait,
// are dropped; those that come again and again are counted up in one (the limits are
// client-go's). It is safe for concurrent use.
type Recorder struct {
	client   kubernetes.Interface
	broad    record.EventBroadcaster
	recorder record.EventRecorder
}

// New returns a Recorder. The credentials need create and patch on events.
func New(config *rest.Config) (*Recorder, error) {
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("making a client for events: %w", err)
	}
	broad := record.NewBroadcaster()
	return &Recorder{
		client: client, broad: broad,
		recorder: broad.NewRecorder(scheme.Scheme, corev1.EventSource{Component: component}),
	}, nil
}

// Start writes Events until ctx ends.
func (r *Recorder) Start(ctx context.Context) error {
	defer r.broad.Shutdown()
	sink := r.broad.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: r.client.CoreV1().Events("")})
	defer sink.Stop()
	<-ctx.Done()
	return nil
}

// NeedLeaderElection says that every replica writes the Events of its own requests.
func (*Recorder) NeedLeaderElection() bool { return false }

// Tell queues an Event on the owner of an object.
func (r *Recorder) Tell(owner review.Owner, object finding.Object, findings []finding.Finding) {
	r.recorder.Event(&corev1.ObjectReference{
		APIVersion: owner.APIVersion, Kind: owner.Kind, Namespace: owner.Namespace, Name: owner.Name, UID: types.UID(owner.UID),
	}, corev1.EventTypeWarning, reason, explain.Event(object, findings))
}
