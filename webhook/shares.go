package webhook

import "sync"

// shares bound what each namespace takes of something. Nobody waits for it: a namespace that has
// its share gets no more.
type shares struct {
	most int64

	mu   sync.Mutex
	held map[string]int64
}

func newShares(most int64) shares { return shares{most: most, held: map[string]int64{}} }

// add counts n for a namespace, and reports false where that would be too much. A namespace that
// holds nothing may always have one, whatever its size.
func (s *shares) add(namespace string, n int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	held := s.held[namespace]
	if held > 0 && held+n > s.most {
		return false
	}
	s.held[namespace] = held + n
	return true
}

func (s *shares) remove(namespace string, n int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.held[namespace] -= n; s.held[namespace] <= 0 {
		delete(s.held, namespace)
	}
}
