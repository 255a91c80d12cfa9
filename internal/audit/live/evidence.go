package live

import (
	"context"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/forestall/forestall/internal/apijson"
	"github.com/forestall/forestall/internal/audit"
)

// Evidence is told what a cluster reports beside its pods, in the order of these methods, and then what an Observer is told.
type Evidence interface {
	Event(e *corev1.Event)
	Node(n *corev1.Node)
	EndpointSlice(e *discoveryv1.EndpointSlice)
	Service(s *corev1.Service)
	audit.Observer
	// Nodes are all nodes with what is known of them at the end.
	Nodes() []audit.Node
	// Dropped is how many events were left out, since there were too many.
	Dropped() int
}

// usual are the reasons of events that healthy clusters are full of: they are not asked for.
func usual() []string {
	return []string{
		"Scheduled", "Pulling", "Pulled", "Created", "Started", "SuccessfulCreate", "SuccessfulDelete", "ScalingReplicaSet", "SawCompletedJob", "Completed",
	}
}

// evidence are the kinds that are listed for Evidence alone.
func (r *reader) evidence() []kind {
	if r.Evidence == nil {
		return nil
	}
	events := told("", "events", "Event", r.Evidence.Event)
	events.fields = "reason!=" + strings.Join(usual(), ",reason!=")
	nodes := told("", "nodes", "Node", r.Evidence.Node)
	nodes.everywhere = true
	return []kind{events, nodes, told("discovery.k8s.io", "endpointslices", "EndpointSlice", r.Evidence.EndpointSlice)}
}

// told returns a kind of which Evidence is told each object. What cannot be decoded is no evidence.
func told[T any](group, resource, name string, tell func(*T)) kind {
	return kind{
		GroupVersionResource: schema.GroupVersionResource{Group: group, Version: "v1", Resource: resource}, name: name,
		take: func(ctx context.Context, raws [][]byte) error {
			for _, raw := range raws {
				var o T
				if apijson.Unmarshal(raw, &o) == nil {
					tell(&o)
				}
			}
			return ctx.Err()
		},
	}
}

// services are judged, and Evidence is told of them.
func (r *reader) services() kind {
	k := r.context("services", "Service")
	if r.Evidence == nil {
		return k
	}
	tell := told("", k.Resource, k.name, r.Evidence.Service).take
	judge := k.take
	k.take = func(ctx context.Context, raws [][]byte) error {
		if err := tell(ctx, raws); err != nil {
			return err
		}
		return judge(ctx, raws)
	}
	return k
}

// conclude puts the nodes into the report, and says what was left out. Of some namespaces alone nobody knows what all pods of
// a node may take.
func (r *reader) conclude() {
	if r.Evidence == nil {
		return
	}
	if n := r.Evidence.Dropped(); n > 0 {
		r.to.Unread("Event", fmt.Sprintf("%d of them were left out, since there are too many", n))
	}
	if len(r.Namespaces) == 0 && !r.to.IsUnread("Node") && !r.to.IsUnread("Pod") {
		r.to.Nodes(r.Evidence.Nodes())
	}
}
