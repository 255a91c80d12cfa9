package webhook

import (
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
)

// broken is a configuration that cannot be used.
type broken struct{ static }

func (*broken) Failed() error { return errors.New("forestall.yaml:3: mode: unknown level") }

func TestReadyTellsOfTheConfiguration(t *testing.T) {
	who := newCAs(x509.NewCertPool())
	who.failed = errors.New("ca.crt: it holds no certificate")
	r := run(t, ServerOptions{Options: Options{Admission: Always(Admission{Reviewer: stub{}})}, Configuration: &broken{}, Clients: who})
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
[!]client CA not in force, the last good one is: ca.crt: it holds no certificate
`
	if err != nil || response.StatusCode != http.StatusOK || string(body) != want {
		t.Errorf("%d, %v:\n%s\nwant\n%s", response.StatusCode, err, body, want)
	}
	if got := r.probe(t, "/readyz/serving"); got != http.StatusOK {
		t.Errorf("/readyz/serving = %d", got)
	}
}

// surroundings are those of which one kind is not known.
type surroundings struct {
	static
	unknown []error
}

func (s *surroundings) Unknown() []error { return s.unknown }

// TestReadyTellsOfTheCluster: what cannot be read of it does not keep the server from being
// ready, once the part itself is.
func TestReadyTellsOfTheCluster(t *testing.T) {
	for name, tt := range map[string]struct {
		unknown []error
		ready   error
		code    int
		want    string
	}{
		"known":   {code: http.StatusOK, want: "healthz check passed\n[+]cluster context known\n"},
		"unknown": {unknown: []error{errors.New("LimitRange: forbidden")}, code: http.StatusOK, want: "healthz check passed\n[!]cluster context not known: LimitRange: forbidden\n"},
		"unread": {
			unknown: []error{errors.New("LimitRange: unread")}, ready: errors.New("LimitRange: unread"), code: http.StatusInternalServerError,
			want: "healthz check failed\n[!]cluster context not known: LimitRange: unread\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			part := &surroundings{static: static{err: tt.ready}, unknown: tt.unknown}
			r := run(t, ServerOptions{Options: Options{Admission: Always(Admission{Reviewer: stub{}})}, Cluster: part})
			eventually(t, func() bool { return r.probe(t, "/readyz/serving") == http.StatusOK })
			response, err := http.Get(r.health + "/readyz?verbose")
			if err != nil {
				t.Fatal(err)
			}
			defer response.Body.Close()
			body, err := io.ReadAll(response.Body)
			if err != nil || response.StatusCode != tt.code || !strings.HasSuffix(string(body), tt.want) {
				t.Errorf("%d, %v:\n%s\nwant %d and, at the end,\n%s", response.StatusCode, err, body, tt.code, tt.want)
			}
		})
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
