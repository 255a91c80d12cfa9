package webhook

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"time"
)

// follow is the ConnState hook of the http.Server.
func (s *connections) follow(c net.Conn, state http.ConnState) {
	if secured, ok := c.(*tls.Conn); ok {
		c = secured.NetConn()
	}
	if one, ok := c.(*connection); ok {
		s.mu.Lock()
		defer s.mu.Unlock()
		one.state, one.changed = state, time.Now()
	}
}

type connectionKey struct{}

// context is the ConnContext of the http.Server.
func (s *connections) context(ctx context.Context, c net.Conn) context.Context {
	if secured, ok := c.(*tls.Conn); ok {
		c = secured.NetConn()
	}
	return context.WithValue(ctx, connectionKey{}, c)
}

// connectionOf returns the connection of a request; nil where there is none, as in tests of handlers.
func connectionOf(ctx context.Context) *connection {
	c, _ := ctx.Value(connectionKey{}).(*connection)
	return c
}

// renewing answers by next. A connection that was used for long enough ends with the answer: in
// HTTP/1.1 the header says so, and HTTP/2 has a frame for it (GOAWAY). Either way the client knows
// before its next request, and loses none.
func renewing(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := connectionOf(r.Context())
		if c == nil {
			next.ServeHTTP(w, r)
			return
		}
		if time.Now().After(c.expires) {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
		c.of.mu.Lock()
		defer c.of.mu.Unlock()
		c.answered = true
	})
}
