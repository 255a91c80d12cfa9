package webhook

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/forestall/forestall/test/attack/wire"
)

// attacker is another source than the one that tests ask from.
func attacker() netip.Addr { return netip.AddrFrom4([4]byte{127, 0, 0, 2}) }

// hanging are ways to hold a connection. Each opens one, and leaves it open.
func hanging() map[string]func(*testing.T, wire.Target) (net.Conn, error) {
	over := func(said string) func(*testing.T, wire.Target) (net.Conn, error) {
		return func(t *testing.T, to wire.Target) (net.Conn, error) {
			c, err := to.HTTP1(t.Context())
			if err != nil {
				return nil, err
			}
			_, err = io.WriteString(c, said)
			return c, err
		}
	}
	return map[string]func(*testing.T, wire.Target) (net.Conn, error){
		"no handshake":             func(t *testing.T, to wire.Target) (net.Conn, error) { return to.TCP(t.Context()) },
		"no request":               over(""),
		"half of a header":         over("POST /validate HTTP/1.1\r\nHost: x\r\nX-"),
		"half of a body":           over("POST /validate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"),
		"a body that nobody reads": over("POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{"),
	}
}

// hang holds so many connections.
func hang(t *testing.T, n int, open func(*testing.T, wire.Target) (net.Conn, error), to wire.Target) {
	t.Helper()
	var all sync.WaitGroup
	var mu sync.Mutex
	const dialers = 8
	for range dialers {
		all.Go(func() {
			for range n / dialers {
				c, err := open(t, to)
				if err != nil {
					continue // the server closed it, as it may
				}
				mu.Lock()
				t.Cleanup(func() { _ = c.Close() })
				mu.Unlock()
			}
		})
	}
	all.Wait()
}

// TestHangingClients holds a thousand connections to each port in every way. Meanwhile the server
// is ready, says so to each probe, and answers an API server's new connections.
func TestHangingClients(t *testing.T) {
	clients := 1000
	if testing.Short() {
		clients = 100
	}
	for name, open := range hanging() {
		t.Run(name, func(t *testing.T) {
			r := run(t, ServerOptions{Options: Options{Admission: Always(Admission{Reviewer: stub{}})}, MaxConnections: 64})
			eventually(t, func() bool { return r.probe(t, "/readyz") == http.StatusOK })
			plain := func(t *testing.T, to wire.Target) (net.Conn, error) { return to.TCP(t.Context()) }
			probes := wire.Target{Address: strings.TrimPrefix(r.health, "http://"), From: attacker()}
			to := r.target()
			to.From = attacker()
			var all sync.WaitGroup
			all.Go(func() { hang(t, clients, plain, probes) })
			all.Go(func() { hang(t, clients, open, to) })
			over := make(chan struct{})
			go func() { all.Wait(); close(over) }()
			asked := 0
			for after := 0; after < 20; {
				select {
				case <-over:
					after++ // they hang now, and open no more
				default:
				}
				asked++
				if got := r.probe(t, "/readyz"); got != http.StatusOK {
					t.Fatalf("/readyz = %d", got)
				}
				if body, err := r.review(); err != nil || body != admitted {
					t.Fatalf("an API server gets %s, %v", body, err)
				}
				r.client.CloseIdleConnections()
				http.DefaultClient.CloseIdleConnections()
			}
			t.Log(asked, "times")
		})
	}
}

// TestHangingClientsAreCutOff: nobody keeps a connection who shakes no hands, or has begun a request
// and does not end it.
func TestHangingClientsAreCutOff(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"no handshake": "", "half of a body": "HTTP/1.1 408", "a body that nobody reads": "HTTP/1.1 404",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := run(t, ServerOptions{Options: Options{Admission: Always(Admission{Reviewer: stub{}}), Timeout: 50 * time.Millisecond}})
			eventually(t, func() bool { return r.probe(t, "/readyz") == http.StatusOK })
			c, err := hanging()[name](t, r.target())
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close() //nolint:errcheck // only read from
			if err := c.SetReadDeadline(time.Now().Add(20 * time.Second)); err != nil {
				t.Fatal(err)
			}
			answer, err := io.ReadAll(c) // until the server closes it
			if err != nil || !strings.HasPrefix(string(answer), want) || want == "" && len(answer) > 0 {
				t.Errorf("%.200s, %v, want %q", answer, err, want)
			}
		})
	}
}

// TestShutdownIsNotHeldUp: clients that hang keep the server from ending for no longer than a
// request may take, and end it with no error.
func TestShutdownIsNotHeldUp(t *testing.T) {
	t.Parallel()
	r := run(t, ServerOptions{Options: Options{Admission: Always(Admission{Reviewer: stub{}}), Timeout: 50 * time.Millisecond}})
	eventually(t, func() bool { return r.probe(t, "/readyz") == http.StatusOK })
	for _, open := range hanging() {
		hang(t, 8, open, r.target())
	}
	r.stop()
	select {
	case err := <-r.ended:
		if err != nil {
			t.Errorf("Run() = %v", err)
		}
	case <-time.After(25 * time.Second):
		t.Error("the server has not ended")
	}
}

// TestHTTP2IsForFew: beyond them connections speak HTTP/1.1, and are answered as well.
func TestHTTP2IsForFew(t *testing.T) {
	r := run(t, ServerOptions{Options: Options{Admission: Always(Admission{Reviewer: stub{}})}})
	eventually(t, func() bool { return r.probe(t, "/readyz") == http.StatusOK })
	var held []*wire.HTTP2
	for range maxStreaming {
		held = append(held, dial2(t, r, 1<<16))
	}
	spoken := func() string {
		defer r.client.CloseIdleConnections()
		response, err := r.client.Post(r.url+ValidatePath, "application/json", strings.NewReader(create))
		if err != nil {
			return err.Error()
		}
		defer response.Body.Close()
		return fmt.Sprint(response.Proto, " ", response.StatusCode)
	}
	if got := spoken(); got != "HTTP/1.1 200" {
		t.Errorf("beyond %d: %s", maxStreaming, got)
	}
	if err := held[0].Close(); err != nil {
		t.Fatal(err)
	}
	eventually(t, func() bool { return spoken() == "HTTP/2.0 200" })
}

// TestHeadersOfATrace: an API server passes on what its client has put there. If that were
// refused, the object would be admitted.
func TestHeadersOfATrace(t *testing.T) {
	r := run(t, ServerOptions{Options: Options{Admission: Always(Admission{Reviewer: stub{}})}})
	eventually(t, func() bool { return r.probe(t, "/readyz") == http.StatusOK })
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, r.url+ValidatePath, strings.NewReader(create))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Tracestate", strings.Repeat("x", 32*514)) // 32 members of 256 + 1 + 256 bytes, and commas
	request.Header.Set("Baggage", strings.Repeat("x", 8192))
	request.Header.Set("Authorization", "Bearer "+strings.Repeat("x", 4096))
	response, err := r.client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		t.Errorf("code = %d", response.StatusCode)
	}
}
