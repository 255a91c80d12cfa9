package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/go-logr/logr"
	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/forestall/forestall/internal/cluster"
	"github.com/forestall/forestall/internal/cluster/live"
	"github.com/forestall/forestall/internal/events"
	"github.com/forestall/forestall/internal/facts/fact"
	"github.com/forestall/forestall/webhook"
)

// surroundings connect the process to its cluster. Reviews ask the store and tell the owners; the
// server starts and stops the rest. Where there is no cluster to ask, the store says so and
// everything else is nil.
type surroundings struct {
	store  *cluster.Store
	feeder *live.Feeder
	owners webhook.Owners
	events manager.Runnable
}

// part is what the server starts to feed the store.
func (s surroundings) part() webhook.ContextPart {
	if s.feeder == nil {
		return nil
	}
	return s.feeder
}

// watch adds the series about the store.
func (s surroundings) watch(registerer prometheus.Registerer) error {
	if s.feeder == nil {
		return nil
	}
	return webhook.WatchCluster(registerer, s.feeder.Synced)
}

// newCluster returns the context of the cluster. With certificates from files and
// neither a kubeconfig nor a service account, forestall judges objects on their own.
func newCluster(o *options, m *webhook.Metrics, log logr.Logger) (surroundings, error) {
	api, err := newAPIConfig(o.kubeconfig)
	if errors.Is(err, rest.ErrNotInCluster) && o.caSecret == "" {
		return surroundings{store: cluster.NoCluster()}, nil
	}
	if err != nil {
		return surroundings{}, fmt.Errorf("finding the API server: %w", err)
	}
	feeder, err := live.New(live.Options{Config: api, Log: log})
	if err != nil {
		return surroundings{}, err
	}
	s := surroundings{store: feeder.Store(), feeder: feeder}
	if !o.ownerEvents {
		return s, nil
	}
	recorder, err := events.New(events.Options{
		Config: api, Unjudged: webhook.Unjudged(o.ownNamespace()), Known: known(s.store), Log: log.WithName("events"),
		Count: func(r events.Result) { m.OwnerEvent(string(r)) },
	})
	if err != nil {
		return surroundings{}, err
	}
	s.owners, s.events = recorder, recorder
	return s, nil
}

// known reports of namespaces whether the store knows them.
func known(store *cluster.Store) func(string) bool {
	return func(namespace string) bool { return store.Namespace(namespace).State == fact.Present }
}

// podNamespace is where the kubelet writes the namespace of a pod
// (k8s.io/kubernetes plugin/pkg/admission/serviceaccount, which mounts it).
const podNamespace = "/var/run/secrets/kubernetes.io/serviceaccount/namespace"

// ownNamespace returns the namespace that forestall runs in; empty for the usual one.
func (o *options) ownNamespace() string {
	if secret, err := parseSecret(o.caSecret); err == nil {
		return secret.Namespace
	}
	text, err := os.ReadFile(podNamespace)
	if err != nil {
		return "" // outside a cluster
	}
	return strings.TrimSpace(string(text))
}
