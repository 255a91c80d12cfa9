package webhook

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/healthz"
	crwebhook "sigs.k8s.io/controller-runtime/pkg/webhook"
)

const (
	// These bound what HTTP/2 holds in memory of unread bodies: connectionBuffer for each
	// connection, streamBuffer for each body, frameBuffer for each frame. They come on top of the
	// bytes that bodies count. net/http would take 1 MiB for each of the three, which is 128 MiB
	// for 64 connections. The API server calls a Service by HTTP/1.1, where unread bytes stay in
	// the kernel (k8s.io/apiserver/pkg/util/webhook/client.go); HTTP/2 is for everybody else.
	connectionBuffer = 128 << 10
	streamBuffer     = 64 << 10
	frameBuffer      = 16 << 10

	// shutdownTime bounds the wait for the last answers.
	shutdownTime = time.Minute
)

// listener serves the admission paths over TLS. It stands in the place of controller-runtime's
// own server, which offers no bound on the memory of a connection.
type listener struct {
	address string
	tls     *tls.Config
	mux     *http.ServeMux
	started atomic.Bool
}

func newListener(address string, c *tls.Config) *listener {
	c.NextProtos = []string{"h2", "http/1.1"}
	return &listener{address: address, tls: c, mux: http.NewServeMux()}
}

// NeedLeaderElection says that every replica answers.
func (*listener) NeedLeaderElection() bool { return false }

// Register answers a path with a handler.
func (l *listener) Register(path string, h http.Handler) { l.mux.Handle(path, h) }

// WebhookMux returns what answers all paths.
func (l *listener) WebhookMux() *http.ServeMux { return l.mux }

// Start serves until ctx ends, and then until the last answer is sent.
func (l *listener) Start(ctx context.Context) error {
	server := &http.Server{
		Handler:           l.mux,
		MaxHeaderBytes:    1 << 20,
		IdleTimeout:       90 * time.Second, // that of the API server's connections (k8s.io/apimachinery/pkg/util/net/http.go)
		ReadHeaderTimeout: 32 * time.Second,
		HTTP2: &http.HTTP2Config{
			MaxReceiveBufferPerConnection: connectionBuffer,
			MaxReceiveBufferPerStream:     streamBuffer,
			MaxReadFrameSize:              frameBuffer,
		},
	}
	connections, err := tls.Listen("tcp", l.address, l.tls)
	if err != nil {
		return fmt.Errorf("listening for admission requests: %w", err)
	}
	stopped := make(chan error, 1)
	unwatch := context.AfterFunc(ctx, func() {
		limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTime)
		defer cancel()
		stopped <- server.Shutdown(limited)
	})
	defer unwatch()
	l.started.Store(true)
	if err := server.Serve(connections); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("answering admission requests: %w", err)
	}
	if err := <-stopped; err != nil {
		return fmt.Errorf("sending the last answers: %w", err)
	}
	return nil
}

// StartedChecker returns a check that connects to the listener.
func (l *listener) StartedChecker() healthz.Checker {
	return func(r *http.Request) error {
		if !l.started.Load() {
			return errors.New("the server has not been started yet")
		}
		dialer := &tls.Dialer{
			NetDialer: &net.Dialer{Timeout: 10 * time.Second},
			Config:    &tls.Config{InsecureSkipVerify: true, MinVersion: tls.VersionTLS12}, // it is our own port
		}
		c, err := dialer.DialContext(r.Context(), "tcp", l.address)
		if err != nil {
			return fmt.Errorf("connecting to the own port: %w", err)
		}
		return c.Close()
	}
}

var _ crwebhook.Server = (*listener)(nil)
