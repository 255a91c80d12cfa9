package port

import (
	"net/netip"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/forestall/forestall/internal/budget"
)

// maxNamed bounds the ports kept of one container, and maxWord the length of a
// word that is looked at: longer ones are scripts or data. No variable of variables has a
// name of more than maxName.
const (
	maxNamed = 16
	maxWord  = 4096
	maxName  = 16
)

// Named is a port that a container's own flag or variable names as one to listen on.
type Named struct {
	Number int32 `json:"number"`
	// Text is the flag or variable with its value.
	Text string `json:"text"`
	Path string `json:"path"`
	// Served says that the container declares the port, or that a Service of the pod sends to it: then
	// it is not the port of another server, which the container connects to.
	Served bool `json:"served,omitempty"`
}

// NamedBy returns the ports that the flags and literal variables of a container
// name as the ones that it listens on itself.
func NamedBy(b *budget.Budget, c *corev1.Container, path string) []Named {
	n := naming{budget: b.OrDefault(), flags: flags()}
	variables := variables()
	n.words(c.Command, path+".command")
	n.words(c.Args, path+".args")
	for i, v := range c.Env {
		if n.budget.Spend(1) && len(v.Name) <= maxName && slices.Contains(variables, strings.ToUpper(v.Name)) && len(v.Value) <= maxWord {
			n.add(portOf(v.Value), v.Name+"="+v.Value, indexed(path, "env", i))
		}
	}
	return n.all
}

// flags name the port or address of the server itself: one that names another
// server, or a second port (metrics, health), says nothing of the first.
func flags() []string {
	return []string{
		"port", "http-port", "http.port", "http_port", "httpport", "server-port", "server.port", "listen-port", "web-port",
		"listen", "listen-address", "listen-addr", "web.listen-address", "http-listen-address", "bind", "bind-address",
		"addr", "address", "http-addr", "http-address",
	}
}

func variables() []string {
	return []string{"PORT", "HTTP_PORT", "SERVER_PORT", "LISTEN_PORT", "APP_PORT", "WEB_PORT", "LISTEN_ADDR", "LISTEN_ADDRESS", "BIND_ADDR"}
}

// naming collects ports.
type naming struct {
	budget *budget.Budget
	flags  []string
	all    []Named
}

func (n *naming) words(words []string, path string) {
	for i, word := range words {
		if !n.budget.Spend(1+min(len(word), maxWord)/perStep) || len(word) > maxWord {
			continue
		}
		at := path + "[" + strconv.Itoa(i) + "]"
		next := ""
		if i+1 < len(words) {
			next = words[i+1]
		}
		parts := strings.Fields(word)
		if len(parts) == 1 {
			n.word(parts[0], next, at)
			continue
		}
		for j, part := range parts { // a script: a shell would take it apart alike
			next = ""
			if j+1 < len(parts) {
				next = parts[j+1]
			}
			n.word(part, next, at)
		}
	}
}

// word takes one word, and the next where the word is a flag whose value follows.
func (n *naming) word(word, next, path string) {
	flag, value, joined := strings.Cut(word, "=")
	name := strings.ToLower(strings.TrimLeft(flag, "-"))
	if name == strings.ToLower(flag) || !slices.Contains(n.flags, name) {
		return
	}
	text := word
	if !joined {
		value, text = next, word+" "+next
	}
	n.add(portOf(strings.Trim(value, `"';`)), text, path)
}

func (n *naming) add(number int32, text, path string) {
	known := func(other Named) bool { return other.Number == number }
	if number == 0 || len(text) > 2*maxWord || len(n.all) == maxNamed || slices.ContainsFunc(n.all, known) {
		return
	}
	n.all = append(n.all, Named{Number: number, Text: text, Path: path})
}

// portOf reads a port, or the port of an address that the pod itself can have: 0
// where there is none.
func portOf(value string) int32 {
	host, port := "", value
	if i := strings.LastIndexByte(value, ':'); i >= 0 {
		host, port = strings.Trim(value[:i], "[]"), value[i+1:]
	}
	if !own(host) {
		return 0
	}
	return parse(port)
}

// own tells that a server can listen at the host: on all addresses.
func own(host string) bool {
	if host == "" || host == "*" {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.IsUnspecified()
}
