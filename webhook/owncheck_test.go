package webhook

import (
	"context"
	"crypto/tls"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/forestall/forestall/internal/certs/certtest"
	"github.com/forestall/forestall/test/attack/wire"
)

// TestOwnCheckFindsRoom connects to the own port while others open connections without an end, in
// each way to hold one, from another source.
func TestOwnCheckFindsRoom(t *testing.T) {
	pair := certtest.New(t, "webhook", time.Now().Add(time.Hour))
	certificate, err := tls.X509KeyPair(pair.Cert, pair.Key)
	if err != nil {
		t.Fatal(err)
	}
	address := freeAddress(t)
	hooks, err := newHooks(ServerOptions{
		BindAddress: address, MaxConnections: 8, Certificates: &static{certificate: certificate},
	}, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- hooks.Start(ctx) }()
	check := func() error { return hooks.StartedChecker()(httptest.NewRequest(http.MethodGet, "/readyz", nil)) }
	eventually(t, func() bool { return check() == nil })
	var all sync.WaitGroup
	attack, stop := context.WithCancel(ctx)
	for _, open := range hanging() {
		all.Go(func() {
			for attack.Err() == nil {
				if c, err := open(t, wire.Target{Address: address, From: attacker()}); err == nil {
					defer c.Close() //nolint:errcheck,gocritic // all of them stay open until the end; the server has closed most
				}
			}
		})
	}
	for range 100 {
		if err := check(); err != nil {
			t.Errorf("the own check: %v", err)
		}
	}
	stop()
	all.Wait()
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("Start() = %v", err)
	}
}
