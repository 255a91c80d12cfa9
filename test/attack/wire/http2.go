package wire

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"strconv"
	"sync"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// HTTP2 is a connection of which every frame is the caller's. It keeps to the windows of the
// server, since a server ends connections that do not. Its methods may be called concurrently.
type HTTP2 struct {
	conn   *tls.Conn
	framer *http2.Framer

	mu      sync.Mutex
	changed *sync.Cond
	encoder *hpack.Encoder
	block   bytes.Buffer
	next    uint32
	window  int64            // of the connection
	streams map[uint32]int64 // windows of those that are open
	initial int64            // window of a new stream
	seen    Seen
	ended   error
}

// Seen counts what the server has sent.
type Seen struct {
	// Headers and Data are frames of answers; Resets those of streams that the server gave up.
	Headers, Data, Resets int
	// GoAway is the reason why the server ends the connection; nil while it does not.
	GoAway *http2.ErrCode
	// Ended is true when the connection is closed.
	Ended bool
}

// HTTP2 connects. window is what the server may send of each answer before the client has read
// it: 0 for nothing.
func (t Target) HTTP2(ctx context.Context, window uint32) (*HTTP2, error) {
	conn, err := t.dial(ctx, http2.NextProtoTLS)
	if err != nil {
		return nil, err
	}
	c := &HTTP2{conn: conn, framer: http2.NewFramer(conn, conn), next: 1, window: 65535, initial: 65535, streams: map[uint32]int64{}}
	c.changed = sync.NewCond(&c.mu)
	c.encoder = hpack.NewEncoder(&c.block)
	if _, err := conn.Write([]byte(http2.ClientPreface)); err != nil {
		return nil, errors.Join(fmt.Errorf("sending the preface: %w", err), conn.Close())
	}
	if err := c.framer.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: window}); err != nil {
		return nil, errors.Join(fmt.Errorf("sending settings: %w", err), conn.Close())
	}
	go c.read()
	return c, nil
}

// Close ends the connection.
func (c *HTTP2) Close() error { return c.conn.Close() }

// Seen returns what the server has sent so far.
func (c *HTTP2) Seen() Seen {
	c.mu.Lock()
	defer c.mu.Unlock()
	seen := c.seen
	seen.Ended = c.ended != nil
	return seen
}

// Open begins a POST of so many bytes and sends none of them.
func (c *HTTP2) Open(path string, length int) (stream uint32, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended != nil {
		return 0, c.ended
	}
	stream = c.next
	c.next += 2
	c.streams[stream] = c.initial
	c.block.Reset()
	for _, f := range []hpack.HeaderField{
		{Name: ":method", Value: "POST"},
		{Name: ":scheme", Value: "https"},
		{Name: ":authority", Value: "localhost"},
		{Name: ":path", Value: path},
		{Name: "content-type", Value: "application/json"},
		{Name: "content-length", Value: strconv.Itoa(length)},
	} {
		if err := c.encoder.WriteField(f); err != nil {
			return 0, fmt.Errorf("encoding headers: %w", err)
		}
	}
	return stream, c.framer.WriteHeaders(http2.HeadersFrameParam{
		StreamID: stream, BlockFragment: c.block.Bytes(), EndHeaders: true, EndStream: length == 0,
	})
}

// Reset gives a stream up.
func (c *HTTP2) Reset(stream uint32) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.streams, stream)
	return c.framer.WriteRSTStream(stream, http2.ErrCodeCancel)
}

// Post sends a whole request, and does not wait for the answer. It waits for the windows.
func (c *HTTP2) Post(path string, body []byte) error {
	_, err := c.Send(path, body)
	return err
}

// Send is Post, and returns the stream.
func (c *HTTP2) Send(path string, body []byte) (stream uint32, err error) {
	if stream, err = c.Open(path, len(body)); err != nil {
		return 0, err
	}
	for len(body) > 0 {
		sent, err := c.send(stream, body)
		if err != nil {
			return 0, fmt.Errorf("sending a body: %w", err)
		}
		body = body[sent:]
	}
	return stream, nil
}

// errReset ends the sending of a body that the server does not want.
var errReset = errors.New("the server has reset the stream")

// send sends one frame of a body.
func (c *HTTP2) send(stream uint32, body []byte) (int, error) {
	const most = 16 << 10 // what every server takes
	c.mu.Lock()
	defer c.mu.Unlock()
	for {
		room, open := c.streams[stream]
		switch size := int(min(room, c.window, most, int64(len(body)))); {
		case c.ended != nil:
			return 0, c.ended
		case !open:
			return 0, errReset
		case size > 0:
			c.window -= int64(size)
			c.streams[stream] -= int64(size)
			return size, c.framer.WriteData(stream, size == len(body), body[:size])
		}
		c.changed.Wait()
	}
}
