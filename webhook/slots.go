package webhook

import "context"

// slots bounds the reviews that run at once. A review is work for a processor: more
// of them at once would only make all of them late. Bodies are read before a slot
// is taken, since the UID in them is needed to answer at all; the API server bounds
// how many it sends at once.
type slots chan struct{}

// take waits for a slot, and reports false when the context ends first.
func (s slots) take(ctx context.Context) bool {
	select {
	case s <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

func (s slots) give() { <-s }
