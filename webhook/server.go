package webhook

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"time"

	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/healthz"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	crwebhook "sigs.k8s.io/controller-runtime/pkg/webhook"
)

// The addresses that a Server listens on when ServerOptions has none.
const (
	DefaultBindAddress            = ":9443"
	DefaultHealthProbeBindAddress = ":8081"
	DefaultMetricsBindAddress     = ":8080"
)

// ServerOptions configure a Server. Reviewer and Certificates are required.
type ServerOptions struct {
	Options
	// Certificates provides the serving certificate.
	Certificates Certificates
	// Cluster keeps in memory what else exists; nil for nothing.
	Cluster ContextPart
	// Events writes down what Owners are told; nil for nothing.
	Events manager.Runnable
	// Configuration follows the configuration file; nil for none.
	Configuration ConfigurationPart
	// Clients, if set, knows the CAs that sign the certificates of clients: nobody else
	// gets an answer. API servers show a certificate where they are configured to
	// (AdmissionConfiguration, kubeConfigFile).
	Clients ClientsPart
	// ClientNames are those of the clients that get an answer, as common name or DNS name of their
	// certificates; none for every client that Clients verifies.
	ClientNames []string
	// MaxConnections bounds the connections for admission requests that are open at once; 0
	// for DefaultMaxConnections.
	MaxConnections int
	// BindAddress is where admission requests are answered, over TLS.
	BindAddress string
	// HealthProbeBindAddress is where /healthz and /readyz are answered; "0" for nowhere.
	HealthProbeBindAddress string
	// MetricsBindAddress is where /metrics is answered; "0" for nowhere.
	MetricsBindAddress string
	// PprofBindAddress is where /debug/pprof is answered; empty or "0" for nowhere.
	PprofBindAddress string
	// ShutdownDelay is the time between becoming unready and stopping: others have to
	// learn that no requests are to be sent here any more.
	ShutdownDelay time.Duration

	// connectionAge is how long a connection is used; 0 for connectionAge.
	connectionAge time.Duration
}

// Server serves a Webhook over TLS, with health probes and metrics.
type Server struct {
	manager manager.Manager
	drain   *drain
}

// NewServer returns a Server. Its rules are compiled by then: they are in the
// Reviewer. The listener for health probes is open when it returns.
func NewServer(o ServerOptions) (*Server, error) {
	w, err := New(o.Options)
	if err != nil {
		return nil, err
	}
	if o.Certificates == nil {
		return nil, errors.New("a Server needs Certificates")
	}
	hooks, err := newHooks(o, w.Timeout)
	if err != nil {
		return nil, err
	}
	s := &Server{drain: &drain{delay: o.ShutdownDelay}}
	if s.manager, err = newManager(o); err != nil {
		return nil, err
	}
	for path, handler := range map[string]http.Handler{ValidatePath: w.ValidateHandler(), MutatePath: w.MutateHandler()} {
		if who := o.clients(); who != nil {
			handler = who.only(handler)
		}
		hooks.Register(path, s.drain.wrap(handler))
	}
	if err := s.add(o, w, hooks); err != nil {
		return nil, fmt.Errorf("assembling the server: %w", err)
	}
	return s, nil
}

// clients returns who gets an answer; nil for everybody.
func (o ServerOptions) clients() *clients {
	if o.Clients == nil {
		return nil
	}
	return &clients{o.Clients, o.ClientNames}
}

// newHooks returns the server for the admission paths. An answer takes the timeout at most.
func newHooks(o ServerOptions, timeout time.Duration) (crwebhook.Server, error) {
	address := cmp.Or(o.BindAddress, DefaultBindAddress)
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("reading the bind address: %w", err)
	}
	// Port 0 is any port, which the API server would not find.
	if number, err := strconv.ParseUint(port, 10, 16); err != nil || number == 0 {
		return nil, fmt.Errorf("reading the bind address: the port is %q: it must be from 1 to 65535", port)
	}
	switch {
	case len(o.ClientNames) > 0 && o.Clients == nil:
		return nil, errors.New("ClientNames need Clients: without a CA nobody can prove a name")
	case o.MaxConnections < 0:
		return nil, fmt.Errorf("the number of connections %d must not be negative", o.MaxConnections)
	}
	return &listener{
		address: address, tls: secured(o.Certificates.GetCertificate, o.clients()), mux: http.NewServeMux(), log: o.Log, timeout: timeout,
		most: cmp.Or(o.MaxConnections, DefaultMaxConnections), age: cmp.Or(o.connectionAge, connectionAge),
	}, nil
}

// newManager returns a manager for its order of starting and stopping. It talks to no API server, so it needs no configuration for one.
func newManager(o ServerOptions) (manager.Manager, error) {
	m, err := manager.New(&rest.Config{}, manager.Options{
		Logger:                 o.Log,
		Metrics:                metricsserver.Options{BindAddress: "0"}, // see newMetricsServer
		HealthProbeBindAddress: "0",                                     // see probes
		PprofBindAddress:       o.PprofBindAddress,
	})
	if err != nil {
		return nil, fmt.Errorf("assembling the server: %w", err)
	}
	return m, nil
}

// add gives the manager what it runs and what it is asked about.
func (s *Server) add(o ServerOptions, w *Webhook, hooks crwebhook.Server) error {
	p := &probes{
		live: liveness(w),
		ready: healthz.Handler{Checks: map[string]healthz.Checker{
			"draining": s.drain.check,
			"serving":  serving(o.Certificates, newRemembered(hooks.StartedChecker()).check),
		}},
	}
	parts := []manager.Runnable{hooks, o.Certificates}
	if o.Cluster != nil {
		parts = append(parts, o.Cluster)
		p.ready.Checks["cluster"] = func(*http.Request) error { return o.Cluster.Ready() }
	}
	if o.Events != nil {
		parts = append(parts, o.Events)
	}
	if o.Configuration != nil {
		parts = append(parts, o.Configuration)
	}
	if o.Clients != nil {
		parts = append(parts, o.Clients)
	}
	p.details = o.details
	servers, err := o.plainServers(p)
	if err != nil {
		return err
	}
	parts = append(parts, servers...)
	for _, part := range parts {
		if err := s.manager.Add(part); err != nil {
			return err
		}
	}
	return nil
}

// details are lines about what does not keep the server from being ready.
func (o ServerOptions) details() []string {
	var lines []string
	if o.Configuration != nil {
		lines = append(lines, inForceLine("configuration", o.Configuration.Failed()))
	}
	if o.Clients != nil {
		lines = append(lines, inForceLine("client CA", o.Clients.Failed()))
	}
	if o.Cluster != nil {
		lines = append(lines, clusterLines(o.Cluster.Unknown())...)
	}
	return lines
}

func clusterLines(unknown []error) []string {
	if len(unknown) == 0 {
		return []string{"[+]cluster context known"}
	}
	lines := make([]string, len(unknown))
	for i, err := range unknown {
		lines[i] = "[!]cluster context not known: " + err.Error()
	}
	return lines
}

func inForceLine(what string, failed error) string {
	if failed == nil {
		return "[+]" + what + " in force"
	}
	return "[!]" + what + " not in force, the last good one is: " + failed.Error()
}

// serving is red until requests can really be answered: it connects to our own port.
// Without a certificate that would only fill the log.
func serving(c Certificates, connects healthz.Checker) healthz.Checker {
	return func(r *http.Request) error {
		if err := c.Ready(); err != nil {
			return err
		}
		return connects(r)
	}
}

// Run serves until ctx ends. Then it is not ready any more, serves for the shutdown
// delay, finishes the requests in flight, and returns nil.
func (s *Server) Run(ctx context.Context) error {
	serving, stop := s.drain.after(ctx)
	defer stop()
	if err := s.manager.Start(serving); err != nil {
		return fmt.Errorf("serving: %w", err)
	}
	return nil
}
