package main

import (
	"cmp"
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
	"github.com/forestall/forestall/internal/config"
	"github.com/forestall/forestall/internal/reload"
	"github.com/forestall/forestall/internal/review"
	"github.com/forestall/forestall/webhook"
)

// serve puts the parts together and runs them until ctx ends.
func serve(ctx context.Context, o *options, logTo io.Writer) error {
	log, err := newLogger(logTo, o)
	if err != nil {
		return err
	}
	build := buildInfo()
	metrics, err := webhook.NewMetrics(crmetrics.Registry, build)
	if err != nil {
		return err
	}
	surroundings, err := newCluster(o, metrics, log.WithName("cluster"))
	if err != nil {
		return err
	}
	certificates, err := newCertificates(o, unrepeated(log.WithName("certificates")))
	if err != nil {
		return err
	}
	cache := review.NewCache()
	file, err := newConfiguration(ctx, cache, o, surroundings.store, metrics, log.WithName("configuration"))
	if err != nil {
		return err
	}
	if err := errors.Join(
		webhook.WatchCertificate(crmetrics.Registry, certificates),
		webhook.WatchCache(crmetrics.Registry, cache.Counts),
		surroundings.watch(crmetrics.Registry),
	); err != nil {
		return err
	}
	clients, err := newClients(o.clientCA, log.WithName("clients"))
	if err != nil {
		return err
	}
	server, err := webhook.NewServer(webhook.ServerOptions{
		Options: webhook.Options{
			Admission:     o.admission(file),
			Recorder:      metrics,
			Owners:        surroundings.owners,
			Log:           log,
			MaxConcurrent: o.maxConcurrent,
			MaxBodyMemory: o.maxBodyMemory.Value(),
		},
		Events:                 surroundings.events,
		Certificates:           certificates,
		Cluster:                surroundings.part(),
		Configuration:          file,
		BindAddress:            o.webhookAddress,
		HealthProbeBindAddress: o.healthAddress,
		MetricsBindAddress:     o.metricsAddress,
		PprofBindAddress:       o.pprofAddress,
		Clients:                clients,
		ClientNames:            o.clientNames,
		MaxConnections:         o.maxConnections,
		ShutdownDelay:          o.shutdownDelay,
	})
	if err != nil {
		return err
	}
	log.Info("Starting forestall-webhook", "version", build.Version, "revision", build.Revision, "address", o.webhookAddress)
	return server.Run(ctx)
}

// newConfiguration compiles the rules, reads the configuration file and follows it.
func newConfiguration(ctx context.Context, cache *review.Cache, o *options, store *cluster.Store, m *webhook.Metrics, log logr.Logger) (*reload.File, error) {
	build, err := builtin.Reviewers(ctx, store, cache)
	if err != nil {
		return nil, fmt.Errorf("loading the rules: %w", err)
	}
	file, err := reload.New(reload.Options{Path: o.config, Build: build, Loaded: m.ConfigLoaded, Log: log})
	if err != nil {
		return nil, fmt.Errorf("loading the configuration: %w", err)
	}
	return file, nil
}

// admission is what each request is answered by. The flag wins over the file: it is
// what somebody has set for this process.
func (o *options) admission(file *reload.File) func() webhook.Admission {
	return func() webhook.Admission {
		now := file.Current()
		mode := cmp.Or(config.FailureMode(o.failureMode), now.Configuration.FailureMode)
		return webhook.Admission{Reviewer: now.Reviewer, FailureMode: mode}
	}
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

// newClients reads the CAs of clients; nil for no file.
func newClients(file string, log logr.Logger) (webhook.ClientsPart, error) {
	if file == "" {
		return nil, nil
	}
	return certs.NewClientCAs(file, log)
}

// newAPIConfig returns how to reach the API server. Without a file it is the service
// account of the pod.
func newAPIConfig(kubeconfig string) (*rest.Config, error) {
	if kubeconfig == "" {
		return rest.InClusterConfig()
	}
	return clientcmd.BuildConfigFromFlags("", kubeconfig)
}
