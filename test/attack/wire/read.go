package wire

import "golang.org/x/net/http2"

// read takes the frames of the server until the connection ends.
func (c *HTTP2) read() {
	reader := http2.NewFramer(nil, c.conn)
	for {
		frame, err := reader.ReadFrame()
		c.mu.Lock()
		if err == nil {
			err = c.take(frame)
		}
		c.ended = err
		c.changed.Broadcast()
		c.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// take notes a frame. Of answers nothing is given back to their windows.
func (c *HTTP2) take(frame http2.Frame) error {
	switch f := frame.(type) {
	case *http2.SettingsFrame:
		return c.settings(f)
	case *http2.WindowUpdateFrame:
		if f.StreamID == 0 {
			c.window += int64(f.Increment)
		} else if _, open := c.streams[f.StreamID]; open {
			c.streams[f.StreamID] += int64(f.Increment)
		}
	case *http2.PingFrame:
		if !f.IsAck() {
			return c.framer.WritePing(true, f.Data)
		}
	case *http2.HeadersFrame:
		c.seen.Headers++
	case *http2.DataFrame:
		c.seen.Data++
	case *http2.RSTStreamFrame:
		c.seen.Resets++
		delete(c.streams, f.StreamID)
	case *http2.GoAwayFrame:
		code := f.ErrCode
		c.seen.GoAway = &code
	}
	return nil
}

func (c *HTTP2) settings(f *http2.SettingsFrame) error {
	if f.IsAck() {
		return nil
	}
	if size, ok := f.Value(http2.SettingInitialWindowSize); ok {
		for stream := range c.streams {
			c.streams[stream] += int64(size) - c.initial
		}
		c.initial = int64(size)
	}
	return c.framer.WriteSettingsAck()
}
