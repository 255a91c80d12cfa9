package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/go-logr/logr"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	crmetrics "sigs.k8s.io/controller-runtime/pkg/metrics"

	"github.com/forestall/forestall/internal/builtin"
	"github.com/forestall/forestall/internal/certs"
	"github.com/forestall/forestall/internal/cluster"
	"github.com/forestall/forestall/internal/cluster/live"
	"github.com/forestall/forestall/internal/config"
	"github.com/forestall/forestall/webhook"
)

// serve puts the parts together and runs them until ctx ends.
func serve(ctx context.Context, o *options, cfg config.Configuration, logTo io.Writer) error {
	log, err := newLogger(logTo, o)
	if err != nil {
		return err
	}
	surroundings, err := newCluster(o)
	if err != nil {
		return err
	}
	reviewer, err := builtin.Reviewer(ctx, cfg.Settings(), surroundings.source)
	if err != nil {
		return fmt.Errorf("loading the rules: %w", err)
	}
	certificates, err := newCertificates(o, log.WithName("certificates"))
	if err != nil {
		return err
	}
	build := buildInfo()
	metrics, err := webhook.NewMetrics(crmetrics.Registry, build)
	if err != nil {
		return err
	}
	server, err := webhook.NewServer(webhook.ServerOptions{
		Options: webhook.Options{
			Reviewer:      reviewer,
			Recorder:      metrics,
			Log:           log,
			FailureMode:   webhook.FailureMode(o.failureMode),
			MaxConcurrent: o.maxConcurrent,
		},
		Certificates:           certificates,
		Cluster:                surroundings.part,
		BindAddress:            o.webhookAddress,
		HealthProbeBindAddress: o.healthAddress,
		MetricsBindAddress:     o.metricsAddress,
		ShutdownDelay:          o.shutdownDelay,
	})
	if err != nil {
		return err
	}
	log.Info("Starting forestall-webhook", "version", build.Version, "revision", build.Revision, "address", o.webhookAddress)
	return server.Run(ctx)
}

// surroundings are one thing seen from two sides: what reviews ask, and what the
// server starts. Both are nil where there is no cluster to be known.
type surroundings struct {
	source cluster.Source
	part   webhook.Part
}

// newCluster returns the context of the cluster. With certificates from files and
// neither a kubeconfig nor a service account, forestall judges objects on their own.
func newCluster(o *options) (surroundings, error) {
	api, err := newAPIConfig(o.kubeconfig)
	if errors.Is(err, rest.ErrNotInCluster) && o.caSecret == "" {
		return surroundings{}, nil
	}
	if err != nil {
		return surroundings{}, fmt.Errorf("finding the API server: %w", err)
	}
	source, err := live.New(api)
	if err != nil {
		return surroundings{}, err
	}
	return surroundings{source: source, part: source}, nil
}

// newCertificates returns the source that the flags name.
func newCertificates(o *options, log logr.Logger) (webhook.Certificates, error) {
	if o.caSecret == "" {
		return certs.NewFiles(o.certFile, o.keyFile)
	}
	secret, err := parseSecret(o.caSecret)
	if err != nil {
		return nil, err
	}
	api, err := newAPIConfig(o.kubeconfig)
	if err != nil {
		return nil, fmt.Errorf("finding the API server: %w", err)
	}
	return certs.NewAuthority(certs.AuthorityOptions{Secret: secret, DNSNames: o.dnsNames, Config: api, Log: log})
}

// newAPIConfig returns how to reach the API server. Without a file it is the service
// account of the pod.
func newAPIConfig(kubeconfig string) (*rest.Config, error) {
	if kubeconfig == "" {
		return rest.InClusterConfig()
	}
	return clientcmd.BuildConfigFromFlags("", kubeconfig)
}
