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

	"github.com/go-logr/logr"
	"sigs.k8s.io/controller-runtime/pkg/healthz"
	crwebhook "sigs.k8s.io/controller-runtime/pkg/webhook"
)

const (
	// DefaultMaxConnections is the bound on open connections when ServerOptions has none. An API
	// server opens one for each request that it sends at the same time, of which there are 600 at
	// most (--max-requests-inflight and --max-mutating-requests-inflight), and keeps 25
	// (idleConnsPerHost in k8s.io/client-go/transport/cache.go). One takes 36 KiB while it waits
	// and, with headers as long as they may be, 100 KiB at most.
	DefaultMaxConnections = 600
	// maxStreaming is how many of them speak HTTP/2, and maxStreams how many requests each of these
	// sends at once. More speak HTTP/1.1, as API servers do unless the webhook is at their own
	// localhost (k8s.io/apiserver/pkg/util/webhook/client.go).
	maxStreaming = 32
	maxStreams   = 16
	// connectionAge is how long a connection is used, more or less.
	connectionAge = time.Minute
)

const (
	// These bound what HTTP/2 holds in memory of unread bodies: connectionBuffer for each
	// connection, streamBuffer for each body, frameBuffer for each frame. They come on top of the
	// bytes that bodies count. net/http would take 1 MiB for each of the three. Of HTTP/1.1 unread
	// bytes stay in the kernel.
	connectionBuffer = 128 << 10
	streamBuffer     = 64 << 10
	frameBuffer      = 16 << 10

	// maxHeaders bounds the headers of a request, in bytes. An API server that traces passes on up to
	// 25 KiB that its own client has chosen (tracestate and baggage, of W3C Trace Context and Baggage):
	// with less than that, who sends them would have their requests fail here, and be admitted.
	maxHeaders = 32 << 10
	// idleTime is longer than the 90 s for which an API server keeps a connection
	// (k8s.io/apimachinery/pkg/util/net/http.go): if we closed it first, that could be
	// when it sends the next request, which would be lost. The same holds for one that it
	// has opened and not used yet.
	idleTime = 2 * time.Minute
	// sendTime is how long an answer may take to be sent, and pingTime for how long HTTP/2 hears
	// nothing before it asks whether the client is still there.
	sendTime = 5 * time.Second
	pingTime = 30 * time.Second
	// shutdownTime is how much longer than an answer may take the last requests have.
	shutdownTime = time.Second
)

// listener serves the admission paths over TLS. It stands in the place of controller-runtime's
// own server, which offers no bound on the memory of a connection.
type listener struct {
	address string
	tls     *tls.Config
	mux     *http.ServeMux
	log     logr.Logger
	// timeout is how long an answer takes at most, before it is sent.
	timeout     time.Duration
	most        int
	age         time.Duration
	connections atomic.Pointer[connections] // nil until it listens
}

// NeedLeaderElection says that every replica answers.
func (*listener) NeedLeaderElection() bool { return false }

// Register answers a path with a handler.
func (l *listener) Register(path string, h http.Handler) { l.mux.Handle(path, h) }

// WebhookMux returns what answers all paths.
func (l *listener) WebhookMux() *http.ServeMux { return l.mux }

// Start serves until ctx ends, and then until the last answer is sent.
func (l *listener) Start(ctx context.Context) error {
	raw, err := net.Listen("tcp", l.address)
	if err != nil {
		return fmt.Errorf("listening for admission requests: %w", err)
	}
	open := newConnections(raw, l.most, l.age, l.log)
	server := l.server(open)
	stopped := make(chan error, 1)
	unwatch := context.AfterFunc(ctx, func() { stopped <- l.stop(context.WithoutCancel(ctx), server, open) })
	defer unwatch()
	l.connections.Store(open)
	if err := server.Serve(tls.NewListener(open, l.tls)); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("answering admission requests: %w", err)
	}
	if err := <-stopped; err != nil {
		return fmt.Errorf("closing the last connections: %w", err)
	}
	return nil
}

// server bounds what a connection takes of time and memory. WriteTimeout bounds the handshake as well.
func (l *listener) server(open *connections) *http.Server {
	return &http.Server{
		Handler:           renewing(l.receiving(l.mux)),
		ConnState:         open.follow,
		ConnContext:       open.context,
		ErrorLog:          newErrorLog(l.log),
		MaxHeaderBytes:    maxHeaders,
		IdleTimeout:       idleTime,
		ReadHeaderTimeout: idleTime,
		WriteTimeout:      l.timeout + sendTime,
		HTTP2: &http.HTTP2Config{
			MaxConcurrentStreams:          maxStreams,
			MaxReceiveBufferPerConnection: connectionBuffer,
			MaxReceiveBufferPerStream:     streamBuffer,
			MaxReadFrameSize:              frameBuffer,
			WriteByteTimeout:              sendTime,
			SendPingTimeout:               pingTime,
		},
	}
}

// receiving bounds the time in which a request has to arrive. The bound holds after the answer as
// well: net/http reads what is left of a body that was refused, so that the connection can be used again.
func (l *listener) receiving(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(l.timeout)) // net/http's own always can
		next.ServeHTTP(w, r)
	})
}

// stop lets requests end, which have their deadlines, and then closes what is left: a client
// that sends half of a header would keep the process from ending.
func (l *listener) stop(ctx context.Context, server *http.Server, open *connections) error {
	answering, cancel := context.WithTimeout(ctx, l.timeout+shutdownTime)
	defer cancel()
	open.settle(answering)
	sending, cancel := context.WithTimeout(ctx, sendTime)
	defer cancel()
	if err := server.Shutdown(sending); !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	l.log.Info("Connections were closed that had not ended after the last answer")
	return server.Close()
}

// StartedChecker returns a check that connects to the listener.
func (l *listener) StartedChecker() healthz.Checker {
	return func(r *http.Request) error {
		open := l.connections.Load()
		if open == nil {
			return errors.New("the server has not been started yet")
		}
		raw, err := (&net.Dialer{}).DialContext(r.Context(), "tcp", l.address)
		if err != nil {
			return fmt.Errorf("connecting to the own port: %w", err)
		}
		defer raw.Close() //nolint:errcheck // nothing was sent
		open.spare(raw.LocalAddr())
		defer open.spare(nil)
		config := &tls.Config{InsecureSkipVerify: true, MinVersion: tls.VersionTLS12} // it is our own port
		if err := tls.Client(raw, config).HandshakeContext(r.Context()); err != nil {
			return fmt.Errorf("shaking hands at the own port: %w", err)
		}
		return nil
	}
}

var _ crwebhook.Server = (*listener)(nil)
