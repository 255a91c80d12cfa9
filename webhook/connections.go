package webhook

import (
	"cmp"
	"context"
	"math/rand/v2"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"github.com/go-logr/logr"
	"golang.org/x/time/rate"
)

// settleStep is how often it is looked whether the last requests have ended.
const settleStep = 5 * time.Millisecond

// connections are those of one listener, in a bounded number. A new one finds room always, or
// nearly: where all is taken, one that matters least is closed for it (see victim).
type connections struct {
	net.Listener
	// most is how many are open at once.
	most int
	// age is how long one is used, three quarters to five quarters of it. API servers keep their
	// connections, and a replica that is new would get none of their requests.
	age time.Duration
	// log is told that all are taken.
	log  logr.Logger
	told rate.Sometimes
	// full is closed when no new ones are taken, and closed when the server says so too.
	full, closed chan struct{}
	closing      sync.Once
	refuse       func() error // closes the Listener, once

	mu      sync.Mutex
	open    map[*connection]struct{}
	sources map[netip.Addr]int // how many of open are from where, those of known clients apart
	streams int                // how many of open speak HTTP/2
	spared  netip.AddrPort     // where our own readiness check comes from
}

func newConnections(l net.Listener, most int, age time.Duration, log logr.Logger) *connections {
	return &connections{
		Listener: l, most: most, age: age, log: log, told: rate.Sometimes{Interval: time.Minute}, full: make(chan struct{}), closed: make(chan struct{}),
		refuse: sync.OnceValue(func() error { return l.Close() }), //nolint:gocritic // l is nil in tests of bookkeeping
		open:   map[*connection]struct{}{}, sources: map[netip.Addr]int{},
	}
}

// connection is one of connections. What changes of it is guarded by their lock.
type connection struct {
	net.Conn
	of      *connections
	remote  netip.AddrPort
	expires time.Time

	state    http.ConnState
	changed  time.Time // when it got into its state
	answered bool      // a request was answered
	known    bool      // the client has shown the certificate that is asked for
	streams  bool      // it speaks HTTP/2
}

// Accept waits for a connection that there is room for.
func (s *connections) Accept() (net.Conn, error) {
	for {
		raw, err := s.Listener.Accept()
		if err != nil {
			select {
			case <-s.full: // the server goes on with those that it has
				<-s.closed
			default:
			}
			return nil, err
		}
		if c := s.add(raw); c != nil {
			return c, nil
		}
	}
}

// Close ends the listener, and leaves the connections open.
func (s *connections) Close() error {
	s.closing.Do(func() { close(s.closed) })
	return s.refuse()
}

// settle takes no new connections, and waits until no request is under way or about to come. Each
// answer ends its connection by then; http.Server.Shutdown would drop what is read after its call.
func (s *connections) settle(ctx context.Context) {
	close(s.full)
	_ = s.refuse() // the server closes it again, and is told
	look := time.NewTicker(settleStep)
	defer look.Stop()
	for s.busy() {
		select {
		case <-look.C:
		case <-ctx.Done():
			return
		}
	}
}

// busy reports whether any connection does anything but wait for another request.
func (s *connections) busy() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	for c := range s.open {
		if w := c.worth(now); w != idle && w != silent {
			return true
		}
	}
	return false
}

// add takes a connection in. It returns nil, and has closed it, where others from its own source
// fill the room with requests under way.
func (s *connections) add(raw net.Conn) *connection {
	now := time.Now()
	age := s.age*3/4 + rand.N(s.age/2) //nolint:gosec // it spreads load and keeps no secret
	c := &connection{Conn: raw, of: s, remote: addressOf(raw.RemoteAddr()), expires: now.Add(age), changed: now}
	ended := s.take(c)
	if ended != nil {
		s.told.Do(func() {
			s.log.Info("All connections are taken; for each new one another is closed, and this is told once a minute",
				"connections", s.most, "closed", ended.source().String())
		})
	}
	if ended == c {
		return nil
	}
	return c
}

// take makes room, and returns the connection that was closed for it; nil for none.
func (s *connections) take(c *connection) *connection {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open[c] = struct{}{}
	s.sources[c.source()]++
	if len(s.open) <= s.most {
		return nil
	}
	ended := cmp.Or(s.victim(c), c)
	ended.end()
	return ended
}

func addressOf(a net.Addr) netip.AddrPort {
	if tcp, ok := a.(*net.TCPAddr); ok {
		is := tcp.AddrPort()
		return netip.AddrPortFrom(is.Addr().Unmap(), is.Port())
	}
	return netip.AddrPort{}
}

// source is whom the connection counts for.
func (c *connection) source() netip.Addr { return c.remote.Addr() }

// Close ends the connection.
func (c *connection) Close() error {
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	c.forget()
	return c.Conn.Close()
}

// end closes the connection at once. What the client has not read is dropped: it would stay
// in the kernel's memory.
func (c *connection) end() {
	c.forget()
	if tcp, ok := c.Conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0) // otherwise it only takes longer
	}
	_ = c.Conn.Close() // nobody is left who could be told
}

func (c *connection) forget() {
	if _, open := c.of.open[c]; !open {
		return
	}
	delete(c.of.open, c)
	if c.streams {
		c.of.streams--
	}
	if !c.known {
		c.of.leave(c.source())
	}
}

func (s *connections) leave(source netip.Addr) {
	if s.sources[source]--; s.sources[source] == 0 {
		delete(s.sources, source)
	}
}

// know keeps the connection until last: it is of a client that has proved who it is.
func (c *connection) know() {
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	if _, open := c.of.open[c]; open && !c.known {
		c.known = true
		c.of.leave(c.source())
	}
}

// stream reports whether the connection may speak HTTP/2, while fewer than most others do.
func (c *connection) stream(most int) bool {
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	if _, open := c.of.open[c]; !open || c.of.streams >= most {
		return false
	}
	c.streams = true
	c.of.streams++
	return true
}

// spare keeps the connection of our own readiness check from being closed for another; nil for none.
func (s *connections) spare(a net.Addr) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.spared = addressOf(a)
}
