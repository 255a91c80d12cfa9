package webhook

import (
	"errors"
	"io"
	"sync"
	"sync/atomic"

	"github.com/forestall/forestall/internal/workload"
)

const (
	// maxSmall is the size up to which a body is small. Nearly all are.
	maxSmall = 64 << 10
	// spare is the room beyond the last byte of a body, where its end is read.
	spare = 512
)

const (
	// DefaultMaxBodyMemory is the bound on the bytes of all bodies when Options has none. With it
	// forestall fits into 256 MiB: the program and the rules take 80, what is known of 10,000
	// Services 10, bodies 32, the objects in those whose turn it is 64 (see maxTurn), and the
	// rest is for small ones and what waits to be collected.
	DefaultMaxBodyMemory = 32 << 20
	// MinMaxBodyMemory is the least that the bound may be: the largest body fits into the three
	// quarters of it that are for large ones.
	MinMaxBodyMemory = 10 << 20
)

const (
	// maxTurn bounds what the objects of heavy bodies may take that are decoded and reviewed at
	// once: a few of them would take more than all bodies that wait for their turn. Beside the
	// heaviest object that is decoded at all there is room for those of other namespaces.
	maxTurn = workload.MaxWeight + workload.MaxWeight/4
	// maxLight is the most that the objects of a body may take that does not wait for those of
	// heavy ones. Nearly all do not: a Deployment with five containers and its managed fields has 150 objects.
	maxLight = 12 << 20
	// lightPerSlot bounds what light ones may take at once: 130 objects for each review.
	lightPerSlot = 4 << 20
)

// Why a body was not read, or what was read not reviewed.
var (
	errNoMemory = errors.New("the bodies of other requests fill the memory for bodies")
	errNoTurn   = errors.New("the large objects of other requests were not reviewed before the deadline")
	// The same where it is up to the namespace alone: others are served.
	errNamespaceMemory = errors.New("the bodies of other requests of this namespace fill its share of the memory for bodies")
	errNamespaceTurn   = errors.New("the large objects of other requests of this namespace were not reviewed before the deadline")
)

// bodies bounds the bytes of all request bodies in memory. They count from when they are read
// until the review of their content has ended. Large bodies take at most three quarters of the
// bound; the rest is for small ones, which are nearly all.
type bodies struct {
	max  int64
	held atomic.Int64
	pool sync.Pool // of *[]byte, for small bodies
	// small and large are what the bodies of each namespace take that were read. They may take
	// five eighths together, so that those of other namespaces are read beside them.
	small, large shares
	// heavy and light bound what the objects of bodies may take that were read.
	heavy, light *queue
}

// newBodies bounds the bodies of so many reviews at once by their bytes, and what becomes of them.
func newBodies(most int64, reviews int) *bodies {
	return &bodies{
		max: most, small: newShares(most / 4), large: newShares(most / 8 * 3),
		heavy: newQueue(maxTurn), light: newQueue(max(maxLight, lightPerSlot*int64(reviews))),
	}
}

// limit returns the bound on all bodies that one of this size has to keep to.
func (b *bodies) limit(size int64) int64 {
	if size > maxSmall+spare {
		return b.max - b.max/4
	}
	return b.max
}

// reserve counts more bytes for a body that grows to a size. Where they do not fit it counts
// none, and returns false.
func (b *bodies) reserve(more, size int64) bool {
	for {
		held := b.held.Load()
		if held+more > b.limit(size) {
			return false
		}
		if b.held.CompareAndSwap(held, held+more) {
			return true
		}
	}
}

// body is the body of one request.
type body struct {
	of *bodies
	// bytes is what was read.
	bytes []byte
	// namespace that the bytes and the turn count for.
	namespace string
	counted   bool
	// turn is what was taken of a queue. It is given back when the review has ended.
	turn   *queue
	weight int64
}

// read reads a body. promised is how many bytes the client says it has; -1 where it does not say.
// Memory grows with what arrives, so that a promise alone takes little. Where the body does not
// fit beside the others read returns errNoMemory, and reads nothing if that is known before.
func (b *bodies) read(from io.Reader, promised int64) (*body, error) {
	if size := promised + spare; promised > maxSmall && b.held.Load()+size > b.limit(size) {
		return nil, errNoMemory
	}
	read := &body{of: b}
	if err := read.fill(from, promised); err != nil {
		read.release()
		return nil, err
	}
	return read, nil
}

// fill reads until the end.
func (b *body) fill(from io.Reader, promised int64) error {
	for {
		if len(b.bytes) == cap(b.bytes) && !b.grow(promised) {
			return errNoMemory
		}
		n, err := from.Read(b.bytes[len(b.bytes):cap(b.bytes)])
		b.bytes = b.bytes[:len(b.bytes)+n]
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// grow makes room: for a small body at once, and for a large one four times as much each time,
// until there is room for what was promised. So little is copied, and no promise is paid in
// advance.
func (b *body) grow(promised int64) bool {
	had := int64(cap(b.bytes))
	if had == 0 {
		return b.begin(promised)
	}
	size := 2 * had
	if had < promised+spare {
		size = min(4*had, promised+spare)
	}
	if !b.of.reserve(size-had, size) {
		return false
	}
	b.bytes = append(make([]byte, 0, size), b.bytes...)
	return true
}

// begin takes the first buffer: one that was used before, where that is large enough.
func (b *body) begin(promised int64) bool {
	const step = 16 << 10 // few sizes, so that buffers can be used again
	size := min((max(promised, 0)/step+1)*step, maxSmall) + spare
	kept, ok := b.of.pool.Get().(*[]byte)
	ok = ok && int64(cap(*kept)) >= size
	if ok {
		size = int64(cap(*kept))
	}
	if !b.of.reserve(size, size) {
		return false
	}
	if !ok {
		buffer := make([]byte, 0, size)
		kept = &buffer
	}
	b.bytes = (*kept)[:0]
	return true
}

// release gives everything back. Nothing may refer to the bytes any more.
func (b *body) release() {
	if b.turn != nil {
		b.turn.release(b.namespace, b.weight)
		b.turn = nil
	}
	size := int64(cap(b.bytes))
	if b.counted {
		b.shares().remove(b.namespace, size)
		b.counted = false
	}
	b.of.held.Add(-size)
	if 0 < size && size <= maxSmall+spare {
		kept := b.bytes[:0]
		b.of.pool.Put(&kept)
	}
	b.bytes = nil
}
