package webhook

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/forestall/forestall/internal/certs/certtest"
)

// broken is a configuration that cannot be used.
type broken struct{ static }

func (*broken) Failed() error { return errors.New("forestall.yaml:3: mode: unknown level") }

func TestReadyTellsOfTheConfiguration(t *testing.T) {
	r := run(t, ServerOptions{Options: Options{Admission: Always(Admission{Reviewer: stub{}})}, Configuration: &broken{}})
	eventually(t, func() bool { return r.probe(t, "/readyz") == http.StatusOK })
	response, err := http.Get(r.health + "/readyz?verbose")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	const want = `[+]draining ok
[+]serving ok
healthz check passed
[!]configuration not in force, the last good one is: forestall.yaml:3: mode: unknown level
`
	if err != nil || response.StatusCode != http.StatusOK || string(body) != want {
		t.Errorf("%d, %v:\n%s\nwant\n%s", response.StatusCode, err, body, want)
	}
	if got := r.probe(t, "/readyz/serving"); got != http.StatusOK {
		t.Errorf("/readyz/serving = %d", got)
	}
}

func TestTakenPort(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close() //nolint:errcheck // nothing was accepted
	_, err = NewServer(ServerOptions{
		Options: Options{Admission: Always(Admission{Reviewer: stub{}})}, Certificates: &static{},
		HealthProbeBindAddress: l.Addr().String(), MetricsBindAddress: "0",
	})
	if err == nil || !strings.Contains(err.Error(), "listening for health probes") {
		t.Errorf("got %v", err)
	}
}

// TestClientCAs: with a client CA only its clients get an answer, and the server
// still gets ready.
func TestClientCAs(t *testing.T) {
	mine, other := certtest.New(t, "api-server", time.Now().Add(time.Hour)), certtest.New(t, "api-server", time.Now().Add(time.Hour))
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(mine.Cert)
	r := run(t, ServerOptions{Options: Options{Admission: Always(Admission{Reviewer: stub{}})}, ClientCAs: pool})
	eventually(t, func() bool { return r.probe(t, "/readyz") == http.StatusOK })
	for _, tt := range []struct {
		name string
		pair *certtest.Pair
		want string
	}{
		{"no certificate", nil, "forestall: a client certificate of the configured CA is required\n"},
		{"one of another CA", &other, "no connection"},
		{"the right one", &mine, admitted},
	} {
		transport := r.client.Transport.(*http.Transport).Clone()
		if tt.pair != nil {
			certificate, err := tls.X509KeyPair(tt.pair.Cert, tt.pair.Key)
			if err != nil {
				t.Fatal(err)
			}
			transport.TLSClientConfig.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
				return &certificate, nil
			}
		}
		r.client.Transport = transport
		body, err := r.review()
		if err != nil { // the words depend on when the client hears of it
			body = "no connection"
		}
		if !strings.Contains(body, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, body, tt.want)
		}
		transport.CloseIdleConnections()
	}
}
