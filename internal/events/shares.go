package events

import (
	"sync"

	"golang.org/x/time/rate"
)

// What one namespace may have, and all together.
const (
	// perSecond and atOnce bound the Events of a namespace. A Deployment has one for each of its
	// ReplicaSets and one for each Pod, and only the first of those that are alike is new.
	perSecond = 1
	atOnce    = 20
	// maxWaiting bounds those that wait, of all namespaces and of one.
	maxWaiting      = 256
	maxWaitingOfOne = atOnce
	// maxNamespaces bounds the namespaces that have a share of their own.
	maxNamespaces = 4096
)

// shares give each namespace its share of the Events, so that none takes that of the others.
type shares struct {
	mu  sync.Mutex
	all map[string]*share
}

// share is that of one namespace.
type share struct {
	limiter *rate.Limiter
	waiting int
}

func newShares() *shares { return &shares{all: map[string]*share{}} }

// take takes a place for one Event of a namespace, if there is one. The place is free again when done
// is called; the rate is not given back.
func (s *shares) take(namespace string) (done func(), ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	one := s.of(namespace)
	if one.waiting >= maxWaitingOfOne || !one.limiter.Allow() {
		return nil, false
	}
	one.waiting++
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		one.waiting--
	}, true
}

// of returns the share of a namespace. Where there are too many, it is the one that belongs to nobody.
func (s *shares) of(namespace string) *share {
	if one := s.all[namespace]; one != nil {
		return one
	}
	if len(s.all) >= maxNamespaces {
		s.forget()
	}
	if len(s.all) >= maxNamespaces && namespace != "" {
		return s.of("")
	}
	one := &share{limiter: rate.NewLimiter(perSecond, atOnce)}
	s.all[namespace] = one
	return one
}

// forget takes out the namespaces that have not used any of their shares for a while.
func (s *shares) forget() {
	for namespace, one := range s.all {
		if one.waiting == 0 && one.limiter.Tokens() >= atOnce {
			delete(s.all, namespace)
		}
	}
}
