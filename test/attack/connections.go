package main

import (
	"context"
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/forestall/forestall/test/attack/wire"
)

// held opens connections and keeps them until ctx ends.
func held(ctx context.Context, n int, sent *atomic.Int64, open func() (net.Conn, error), use func(net.Conn)) {
	at(ctx, n, func(int, int) {
		c, err := open()
		if err != nil {
			time.Sleep(50 * time.Millisecond)
			return
		}
		sent.Add(1)
		stop := context.AfterFunc(ctx, func() { _ = c.Close() })
		use(c)
		stop()
		_ = c.Close()
	})
}

// silent connections say nothing at all, not even the handshake of TLS.
func silent(ctx context.Context, s *stage, sent *atomic.Int64) error {
	var both sync.WaitGroup
	for _, port := range []wire.Target{s.post.reviews, s.post.probes} {
		both.Go(func() {
			held(ctx, 500, sent, func() (net.Conn, error) { return port.TCP(ctx) }, func(c net.Conn) {
				_, _ = io.Copy(io.Discard, c)
			})
		})
	}
	both.Wait()
	return nil
}

// slowBodies promise a body and send it a byte at a time.
func slowBodies(ctx context.Context, s *stage, sent *atomic.Int64) error {
	held(ctx, 200, sent, func() (net.Conn, error) { return s.post.reviews.HTTP1(ctx) }, func(c net.Conn) {
		head := "POST /validate?timeout=30s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 3000000\r\n\r\n"
		if _, err := io.WriteString(c, head); err != nil {
			return
		}
		for ctx.Err() == nil {
			if _, err := c.Write([]byte("{")); err != nil {
				return
			}
			time.Sleep(50 * time.Millisecond)
		}
	})
	return nil
}

// unread: answers that wait to be sent, since the client takes no byte of them.
func unread(ctx context.Context, s *stage, sent *atomic.Int64) error {
	f := forged{namespace: tenant, object: `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web","annotations":{"a":"` + strings.Repeat("x", 4<<20) +
		`"}},"spec":{"containers":[{"name":"web","command":["sleep 1000"]}]}}`}
	head, tail := f.around()
	review := []byte(head + f.object + tail)
	streaming(ctx, s, 15, func(c *wire.HTTP2) {
		for range 16 {
			if c.Post("/validate?timeout=5s", review) != nil {
				break
			}
			sent.Add(1)
		}
		wait(ctx, 5*time.Second)
	})
	return nil
}

// reset: streams that are given up as soon as they are open.
func reset(ctx context.Context, s *stage, sent *atomic.Int64) error {
	streaming(ctx, s, 8, func(c *wire.HTTP2) {
		for ctx.Err() == nil {
			stream, err := c.Open("/validate?timeout=5s", 1000)
			if err == nil {
				err = c.Reset(stream)
			}
			if err != nil {
				return
			}
			sent.Add(1)
		}
	})
	return nil
}

// streaming keeps n connections of HTTP/2 that take nothing of any answer.
func streaming(ctx context.Context, s *stage, n int, use func(*wire.HTTP2)) {
	at(ctx, n, func(int, int) {
		c, err := s.post.reviews.HTTP2(ctx, 0)
		if err != nil {
			wait(ctx, 50*time.Millisecond)
			return
		}
		stop := context.AfterFunc(ctx, func() { _ = c.Close() })
		use(c)
		stop()
		_ = c.Close()
	})
}

func wait(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
