package webhook

import (
	"net/http"
	"time"
)

// patience is how long a new connection has for its handshake and its first request, before it
// is the first to be closed for another. Both together take an API server less than 5 s.
const patience = 10 * time.Second

// victim returns the connection that is closed for a new one; nil where the new one is refused. One
// that has asked nothing for long goes first. Then it is one of the source that has the most, so
// that who opens many loses their own, and an API server beside it none of its share. Known
// clients lose theirs last.
func (s *connections) victim(newest *connection) *connection {
	most := s.largest(newest)
	now := time.Now()
	var found *connection
	for c := range s.open {
		if c == newest || c.remote == s.spared || !s.mayEnd(c, newest, most, now) {
			continue
		}
		if found == nil || c.before(found, now) {
			found = c
		}
	}
	return found
}

// largest returns how many the source has that has the most, not counting the newest.
func (s *connections) largest(newest *connection) int {
	most := 0
	for source, n := range s.sources {
		if source == newest.source() {
			n--
		}
		most = max(most, n)
	}
	return most
}

func (s *connections) mayEnd(c, newest *connection, most int, now time.Time) bool {
	worth := c.worth(now)
	switch {
	case worth == silent:
		return true
	case most > 0 && (c.known || s.share(c, newest) < most):
		return false
	default:
		// Of requests from one source none is worth more than another: the one that is under way
		// goes on.
		return worth < firstRequest || c.source() != newest.source()
	}
}

// share is how many the source of c has, not counting the newest.
func (s *connections) share(c, newest *connection) int {
	if c.source() == newest.source() {
		return s.sources[c.source()] - 1
	}
	return s.sources[c.source()]
}

// before orders the connections of one source: what is worth less goes first, then what has been so longer.
func (c *connection) before(other *connection, now time.Time) bool {
	if a, b := c.worth(now), other.worth(now); a != b {
		return a < b
	}
	return c.changed.Before(other.changed)
}

// What a connection is worth.
const (
	silent       = iota // it has asked nothing since it was opened, long ago
	idle                // it waits for the next request: its client opens another
	fresh               // it has asked nothing yet
	firstRequest        // its first request is under way
	working             // a later one is
)

func (c *connection) worth(now time.Time) int {
	switch {
	case c.state != http.StateActive && c.answered:
		return idle
	case c.state != http.StateActive && now.Sub(c.changed) > patience:
		return silent
	case c.state != http.StateActive:
		return fresh
	case !c.answered:
		return firstRequest
	default:
		return working
	}
}
