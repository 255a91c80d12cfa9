package webhook

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/forestall/forestall/internal/certs/certtest"
)

// cas are CAs of clients that a test changes.
type cas struct {
	static
	pool   atomic.Pointer[x509.CertPool]
	failed error
}

func newCAs(p *x509.CertPool) *cas {
	c := &cas{}
	c.pool.Store(p)
	return c
}

func (c *cas) CAs() *x509.CertPool { return c.pool.Load() }
func (c *cas) Failed() error       { return c.failed }

// as makes the client show a certificate, over a connection of its own.
func (r *running) as(t *testing.T, pair *certtest.Pair) {
	t.Helper()
	transport := r.client.Transport.(*http.Transport).Clone()
	transport.TLSClientConfig.ClientSessionCache = tls.NewLRUClientSessionCache(0)
	if pair != nil {
		certificate, err := tls.X509KeyPair(pair.Cert, pair.Key)
		if err != nil {
			t.Fatal(err)
		}
		transport.TLSClientConfig.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
			return &certificate, nil
		}
	}
	r.client.Transport = transport
	t.Cleanup(transport.CloseIdleConnections)
}

// said is the answer to a review; of a handshake that fails the words depend on when the client hears of it.
func (r *running) said() string {
	body, err := r.review()
	if err != nil {
		return "no connection"
	}
	return body
}

const (
	noCertificate = "forestall: a client certificate of the configured CA is required\n"
	noName        = "forestall: the client certificate has none of the configured names\n"
)

// TestClientCAs: with a client CA only its clients get an answer, with names only those of them
// that have one, and the server still gets ready.
func TestClientCAs(t *testing.T) {
	mine, other := certtest.New(t, "api-server", time.Now().Add(time.Hour)), certtest.New(t, "api-server", time.Now().Add(time.Hour))
	for _, tt := range []struct {
		names []string
		pair  *certtest.Pair
		want  string
	}{
		{nil, nil, noCertificate},
		{nil, &other, "no connection"},
		{nil, &mine, admitted},
		{[]string{"api-server"}, &mine, admitted},
		{[]string{"somebody", "localhost"}, &mine, admitted}, // its DNS name
		{[]string{"somebody"}, &mine, noName},
		{[]string{"api"}, &mine, noName},
		{[]string{"api-server"}, &other, "no connection"},
		{[]string{"api-server"}, nil, noCertificate},
	} {
		t.Run(fmt.Sprint(tt.names, tt.pair == nil, tt.pair == &other), func(t *testing.T) {
			r := run(t, ServerOptions{
				Options: Options{Admission: Always(Admission{Reviewer: stub{}})}, Clients: newCAs(mine.Pool()), ClientNames: tt.names,
			})
			eventually(t, func() bool { return r.probe(t, "/readyz") == http.StatusOK })
			r.as(t, tt.pair)
			if got := r.said(); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

// TestClientCAsRotate: a CA that is taken away signs for nobody any more, even where a client
// resumes a session; one that is added signs at once. No restart is needed.
func TestClientCAsRotate(t *testing.T) {
	first, second := certtest.New(t, "first", time.Now().Add(time.Hour)), certtest.New(t, "second", time.Now().Add(time.Hour))
	both := first.Pool()
	both.AppendCertsFromPEM(second.Cert)
	who := newCAs(first.Pool())
	r := run(t, ServerOptions{Options: Options{Admission: Always(Admission{Reviewer: stub{}})}, Clients: who})
	eventually(t, func() bool { return r.probe(t, "/readyz") == http.StatusOK })
	var got []string
	ask := func(pairs ...*certtest.Pair) {
		for _, p := range pairs {
			r.as(t, p)
			for range 2 { // the second connection resumes the session of the first, where it may
				got = append(got, strings.TrimSuffix(r.said(), "\n"))
				r.client.CloseIdleConnections()
			}
		}
	}
	ask(&first, &second)
	who.pool.Store(both)
	ask(&first, &second)
	resuming := r.client.Transport
	who.pool.Store(first.Pool())
	got = append(got, r.said()) // with the session of the second
	ask(&first, &second)
	if resuming == r.client.Transport {
		t.Error("nothing was resumed")
	}
	yes, no := strings.TrimSuffix(admitted, "\n"), "no connection"
	want := []string{yes, yes, no, no, yes, yes, yes, yes, no, yes, yes, no, no}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}
