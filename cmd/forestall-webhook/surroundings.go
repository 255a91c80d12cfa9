package main

import (
	"errors"
	"fmt"

	"github.com/go-logr/logr"
	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/forestall/forestall/internal/cluster"
	"github.com/forestall/forestall/internal/cluster/live"
	"github.com/forestall/forestall/internal/events"
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
func newCluster(o *options, log logr.Logger) (surroundings, error) {
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
	recorder, err := events.New(api)
	if err != nil {
		return surroundings{}, err
	}
	s.owners, s.events = recorder, recorder
	return s, nil
}
