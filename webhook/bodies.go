package webhook

import (
	"bytes"
	"sync"
)

// maxPromised bounds the memory that is set aside for a body before it arrives, and
// that is kept for the next one. Nearly all reviews are smaller.
const maxPromised = 64 << 10

// bodies are the buffers that bodies are read into. Nothing keeps a body once it has
// been decoded.
type bodies struct{ pool sync.Pool }

// take returns an empty buffer for a body of so many bytes; -1 where nobody knows.
func (b *bodies) take(size int64) *bytes.Buffer {
	body, ok := b.pool.Get().(*bytes.Buffer)
	if !ok {
		body = &bytes.Buffer{}
	}
	body.Reset()
	body.Grow(bytes.MinRead + int(max(0, min(size, maxPromised))))
	return body
}

func (b *bodies) give(body *bytes.Buffer) {
	if body.Cap() <= 2*maxPromised {
		b.pool.Put(body)
	}
}
