package webhook

import (
	"cmp"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/go-logr/logr"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	crmetrics "sigs.k8s.io/controller-runtime/pkg/metrics"
)

const (
	// plainConnections bounds the connections for probes, and those for metrics. The kubelet opens
	// one for each probe, and a scraper keeps one or two.
	plainConnections = 64
	// scrapes bounds those at the same time: each takes memory for all series.
	scrapes = 4
	// scrapeTime is the default scrape_timeout of Prometheus.
	scrapeTime = 10 * time.Second
)

// newPlainServer returns a server without TLS whose connections are bounded. It listens already.
func newPlainServer(name, address string, h http.Handler, log logr.Logger) (*manager.Server, error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("listening for %s: %w", name, err)
	}
	open := newConnections(listener, plainConnections, connectionAge, log)
	return &manager.Server{Name: name, Listener: open, Server: &http.Server{
		Handler:        renewing(h),
		ConnState:      open.follow,
		ConnContext:    open.context,
		ErrorLog:       newErrorLog(log),
		MaxHeaderBytes: 1 << 14,
		ReadTimeout:    5 * time.Second, // nobody sends a body
		WriteTimeout:   scrapeTime + sendTime,
		IdleTimeout:    idleTime,
	}}, nil
}

// newMetricsServer answers /metrics. It stands in the place of controller-runtime's own, which bounds
// neither connections nor scrapes.
func newMetricsServer(address string, log logr.Logger) (*manager.Server, error) {
	mux := http.NewServeMux()
	mux.Handle("/metrics", promhttp.HandlerFor(crmetrics.Registry, promhttp.HandlerOpts{
		ErrorHandling: promhttp.HTTPErrorOnError, MaxRequestsInFlight: scrapes, Timeout: scrapeTime,
	}))
	return newPlainServer("metrics", address, mux, log)
}

// plainServers are those for probes and for metrics.
func (o ServerOptions) plainServers(p *probes) ([]manager.Runnable, error) {
	var servers []manager.Runnable
	for _, one := range []struct {
		address string
		open    func(string, logr.Logger) (*manager.Server, error)
	}{
		{cmp.Or(o.HealthProbeBindAddress, DefaultHealthProbeBindAddress), p.server},
		{cmp.Or(o.MetricsBindAddress, DefaultMetricsBindAddress), newMetricsServer},
	} {
		if one.address == "0" {
			continue
		}
		server, err := one.open(one.address, o.Log)
		if err != nil {
			return nil, err
		}
		servers = append(servers, server)
	}
	return servers, nil
}
