package webhook

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
)

// piped is a connection from an address.
type piped struct {
	net.Conn
	from net.TCPAddr
}

func (p piped) RemoteAddr() net.Addr { return &p.from }
func (piped) Close() error           { return nil }

// TestVictim fills the room, opens one connection more, and sees which is closed for it.
func TestVictim(t *testing.T) {
	type held struct {
		name, source string
		state        http.ConnState
		answered     bool
		known        bool
		age          time.Duration
	}
	const second = time.Second
	attacker := func(name string, state http.ConnState, age time.Duration) held {
		return held{name: name, source: "10.0.0.9", state: state, age: age}
	}
	for _, tt := range []struct {
		name   string
		open   []held
		source string // of the newest
		spared string
		want   string
	}{
		{"there is room", []held{{name: "a", source: "10.0.0.1"}}, "10.0.0.1", "", "nobody"},
		{"who has most loses its own", []held{
			{name: "server", source: "10.0.0.1", state: http.StateIdle, answered: true, age: time.Hour},
			attacker("a", http.StateActive, second), attacker("b", http.StateActive, 3*second), attacker("c", http.StateActive, 2*second),
		}, "10.0.0.1", "", "b"},
		{"also where it opens one more itself", []held{
			{name: "server", source: "10.0.0.1", state: http.StateIdle, answered: true, age: time.Hour},
			attacker("a", http.StateNew, 0), attacker("b", http.StateActive, 3*second), attacker("c", http.StateActive, 2*second),
		}, "10.0.0.9", "", "a"},
		{"of one source those under way go on", []held{
			{name: "server", source: "10.0.0.1", state: http.StateIdle, answered: true, age: time.Hour},
			attacker("a", http.StateActive, second), attacker("b", http.StateActive, 3*second), attacker("c", http.StateActive, 2*second),
		}, "10.0.0.9", "", "newest"},
		{"who asked nothing for long goes first", []held{
			{name: "silent", source: "10.0.0.9", age: 2 * patience},
			{name: "a", source: "10.0.0.1", state: http.StateActive},
			{name: "b", source: "10.0.0.1", state: http.StateActive},
			{name: "c", source: "10.0.0.1", state: http.StateIdle, answered: true, age: time.Hour},
		}, "10.0.0.1", "", "silent"},
		{"then who waits, the longest", []held{
			{name: "a", source: "10.0.0.1", state: http.StateActive, answered: true},
			{name: "b", source: "10.0.0.1", state: http.StateIdle, answered: true, age: second},
			{name: "c", source: "10.0.0.1", state: http.StateIdle, answered: true, age: 2 * second},
			{name: "d", source: "10.0.0.1", age: 3 * second},
		}, "10.0.0.1", "", "c"},
		{"a known client loses none", []held{
			{name: "a", source: "10.0.0.1", state: http.StateIdle, answered: true, known: true, age: time.Hour},
			{name: "b", source: "10.0.0.1", state: http.StateIdle, answered: true, known: true, age: time.Hour},
			{name: "c", source: "10.0.0.1", state: http.StateIdle, answered: true, known: true, age: time.Hour},
			{name: "attacker", source: "10.0.0.9", state: http.StateActive, answered: true},
		}, "10.0.0.1", "", "attacker"},
		{"but for another known one", []held{
			{name: "a", source: "10.0.0.1", state: http.StateIdle, answered: true, known: true, age: second},
			{name: "b", source: "10.0.0.1", state: http.StateIdle, answered: true, known: true, age: time.Hour},
			{name: "c", source: "10.0.0.1", state: http.StateActive, answered: true, known: true, age: time.Hour},
			{name: "d", source: "10.0.0.1", state: http.StateActive, answered: true, known: true, age: time.Hour},
		}, "10.0.0.1", "", "b"},
		{"our own check is spared", []held{
			{name: "check", source: "10.0.0.9", age: 3 * patience},
			{name: "a", source: "10.0.0.9", age: 2 * patience},
			{name: "b", source: "10.0.0.9", age: second},
			{name: "c", source: "10.0.0.9"},
		}, "10.0.0.1", "check", "a"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newConnections(nil, 4, time.Minute, logr.Discard())
				names := map[*connection]string{}
				add := func(name, source string) *connection {
					from := netip.AddrPortFrom(netip.MustParseAddr(source), uint16(1000+len(names))) //nolint:gosec // a few
					c := s.add(piped{from: *net.TCPAddrFromAddrPort(from)})
					names[c] = name
					return c
				}
				for _, h := range tt.open {
					c := add(h.name, h.source)
					c.state, c.answered, c.changed = h.state, h.answered, time.Now().Add(-h.age)
					if h.known {
						c.know()
					}
					if h.name == tt.spared {
						s.spare(c.RemoteAddr())
					}
				}
				if add("newest", tt.source) == nil {
					names[nil] = "newest"
				}
				if got := closed(s, names); got != tt.want {
					t.Errorf("%s was closed, want %s", got, tt.want)
				}
				if total := counted(s); total != fmt.Sprint(len(s.open)) {
					t.Errorf("%s connections are counted, of %d", total, len(s.open))
				}
			})
		})
	}
}

// closed is which connection is not open any more.
func closed(s *connections, names map[*connection]string) string {
	for c, name := range names {
		if _, open := s.open[c]; !open {
			return name
		}
	}
	return "nobody"
}

// counted is how many connections the counts speak of.
func counted(s *connections) string {
	total := 0
	for _, n := range s.sources {
		total += n
	}
	for c := range s.open {
		if c.known {
			total++
		}
	}
	return fmt.Sprint(total)
}
