package webhook

import (
	"fmt"
	"net/http"

	"github.com/go-logr/logr"
	"sigs.k8s.io/controller-runtime/pkg/healthz"
	"sigs.k8s.io/controller-runtime/pkg/manager"
)

// probes answers /healthz and /readyz. They are not the manager's own: those can
// only say ok or not, and a configuration that cannot be used is something to be
// told while the server is ready.
type probes struct {
	live, ready healthz.Handler
	// details are lines for those who ask /readyz?verbose.
	details func() []string
}

// liveness fails where only a restart helps.
func liveness(w *Webhook) healthz.Handler {
	return healthz.Handler{Checks: map[string]healthz.Checker{
		"ping":    healthz.Ping,
		"reviews": func(*http.Request) error { return w.Live() },
	}}
}

// server listens at once: a port that is taken is an error before anything runs.
func (p *probes) server(address string, log logr.Logger) (*manager.Server, error) {
	mux := http.NewServeMux()
	mux.Handle("/healthz", http.StripPrefix("/healthz", &p.live))
	mux.Handle("/healthz/", http.StripPrefix("/healthz", &p.live))
	mux.Handle("/readyz", http.StripPrefix("/readyz", http.HandlerFunc(p.serveReady)))
	mux.Handle("/readyz/", http.StripPrefix("/readyz", &p.ready))
	return newPlainServer("health probes", address, mux, log)
}

func (p *probes) serveReady(w http.ResponseWriter, r *http.Request) {
	p.ready.ServeHTTP(w, r)
	if _, verbose := r.URL.Query()["verbose"]; !verbose {
		return
	}
	for _, line := range p.details() {
		fmt.Fprintln(w, line)
	}
}
