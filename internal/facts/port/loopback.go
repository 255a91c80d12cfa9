package port

import (
	"slices"
	"strings"

	"github.com/forestall/forestall/internal/budget"
)

// maxScript bounds the length of a command that is searched for ports, and maxAsked the number of
// ports that it asks. A command that asks more ports is no check of one container's health.
const (
	maxScript = 16 << 10
	maxAsked  = 16
)

// Loopback returns the ports that a command asks on the container's own address:
// http://127.0.0.1:8500/health, localhost:8080, nc localhost 6379. Each once.
func Loopback(b *budget.Budget, command []string) []int32 {
	size := 0
	for _, word := range command {
		size += 1 + len(word)
	}
	if size > maxScript || !b.Spend(1+size/perStep) {
		return nil
	}
	script := strings.Join(command, " ")
	var all []int32
	for _, host := range []string{"localhost", "127.0.0.1", "[::1]"} {
		for n := range portsOf(host, script) {
			if !slices.Contains(all, n) {
				all = append(all, n)
			}
			if len(all) > maxAsked {
				return nil
			}
		}
	}
	return all
}

// portsOf yields the ports that follow a host in a text.
func portsOf(host, text string) func(yield func(int32) bool) {
	return func(yield func(int32) bool) {
		for {
			_, rest, found := strings.Cut(text, host)
			if !found {
				return
			}
			if n := following(rest); n > 0 && !yield(n) {
				return
			}
			text = rest
		}
	}
}

// following reads the port that follows a host, after a colon or a space.
func following(text string) int32 {
	if text == "" || text[0] != ':' && text[0] != ' ' {
		return 0
	}
	text = text[1:]
	end := strings.IndexFunc(text, func(r rune) bool { return r < '0' || r > '9' })
	if end < 0 {
		end = len(text)
	}
	if end < len(text) && !strings.ContainsRune(`/ ;"'|&)?#`+"\n\t", rune(text[end])) {
		return 0
	}
	return parse(text[:end])
}
