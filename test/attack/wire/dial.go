package wire

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/netip"
	"time"
)

// Target is what is attacked, and from where.
type Target struct {
	// Address is host and port.
	Address string
	// TLS, if set, is how to connect; without it nothing is verified.
	TLS *tls.Config
	// From is the address to connect from; the zero value for any. All of 127.0.0.0/8 may be used
	// on Linux, so that one machine can be many sources.
	From netip.Addr
}

// TCP connects, and shakes no hands.
func (t Target) TCP(ctx context.Context) (net.Conn, error) {
	d := net.Dialer{Timeout: 20 * time.Second}
	if t.From.IsValid() {
		d.LocalAddr = net.TCPAddrFromAddrPort(netip.AddrPortFrom(t.From, 0))
	}
	c, err := d.DialContext(ctx, "tcp", t.Address)
	if err != nil {
		return nil, fmt.Errorf("connecting: %w", err)
	}
	return c, nil
}

// HTTP1 connects for HTTP/1.1.
func (t Target) HTTP1(ctx context.Context) (*tls.Conn, error) { return t.dial(ctx, "http/1.1") }

// dial connects and agrees on a protocol.
func (t Target) dial(ctx context.Context, protocol string) (*tls.Conn, error) {
	raw, err := t.TCP(ctx)
	if err != nil {
		return nil, err
	}
	config := &tls.Config{InsecureSkipVerify: true, MinVersion: tls.VersionTLS12} // an attacker trusts anybody
	if t.TLS != nil {
		config = t.TLS.Clone()
	}
	config.NextProtos = []string{protocol}
	c := tls.Client(raw, config)
	if err := c.HandshakeContext(ctx); err != nil {
		_ = raw.Close() // the handshake is why it failed
		return nil, fmt.Errorf("shaking hands for %s: %w", protocol, err)
	}
	return c, nil
}
