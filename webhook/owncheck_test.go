package webhook

import (
	"context"
	"crypto/tls"
	"io"
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
	check := func() error {
		limited, cancel := context.WithTimeout(ctx, 30*time.Second)
		defer cancel()
		return hooks.StartedChecker()(httptest.NewRequestWithContext(limited, http.MethodGet, "/readyz", nil))
	}
	eventually(t, func() bool { return check() == nil })
	var all sync.WaitGroup
	attack, stop := context.WithCancel(ctx)
	for _, open := range hanging() {
		all.Go(func() {
			// The last of them stay open; with all of them the process would be out of files on a slow machine.
			var held [64]io.Closer
			for i := 0; attack.Err() == nil; i++ {
				c, err := open(t, wire.Target{Address: address, From: attacker()})
				if err != nil {
					continue
				}
				if at := i % len(held); held[at] != nil {
					_ = held[at].Close() // the server has closed it, too
				}
				held[i%len(held)] = c
			}
			for _, c := range held {
				if c != nil {
					_ = c.Close()
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
