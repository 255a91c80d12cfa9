package webhook

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/forestall/forestall/internal/certs/certtest"
)

// static is a source with one certificate.
type static struct {
	certificate tls.Certificate
	err         error
}

func (s *static) GetCertificate(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	return &s.certificate, nil
}

func (s *static) Start(ctx context.Context) error {
	<-ctx.Done()
	return nil
}

func (*static) NeedLeaderElection() bool { return false }
func (s *static) Ready() error           { return s.err }

// running is a Server for a test.
type running struct {
	url, health string
	client      *http.Client
	stop        context.CancelFunc
	ended       chan error
}

// run starts a Server on free ports and waits until it answers probes.
func run(t *testing.T, o ServerOptions) *running {
	t.Helper()
	pair := certtest.New(t, "webhook", time.Now().Add(time.Hour))
	certificate, err := tls.X509KeyPair(pair.Cert, pair.Key)
	if err != nil {
		t.Fatal(err)
	}
	if o.Certificates == nil {
		o.Certificates = &static{certificate: certificate}
	}
	o.BindAddress, o.HealthProbeBindAddress, o.MetricsBindAddress = freeAddress(t), freeAddress(t), "0"
	s, err := NewServer(o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	r := &running{
		url:    "https://" + strings.Replace(o.BindAddress, "127.0.0.1", "localhost", 1),
		health: "http://" + o.HealthProbeBindAddress,
		client: &http.Client{Transport: &http.Transport{
			TLSClientConfig: &tls.Config{RootCAs: pair.Pool()}, ForceAttemptHTTP2: true,
		}},
		stop: cancel, ended: make(chan error, 1),
	}
	t.Cleanup(r.client.CloseIdleConnections)
	t.Cleanup(cancel)
	go func() { r.ended <- s.Run(ctx) }()
	eventually(t, func() bool { return r.probe(t, "/healthz") == http.StatusOK })
	return r
}

func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close() //nolint:errcheck // nothing was accepted
	return l.Addr().String()
}

// probe returns the status of a health probe; 0 where nobody answers.
func (r *running) probe(t *testing.T, path string) int {
	t.Helper()
	response, err := http.Get(r.health + path)
	if err != nil {
		return 0
	}
	defer response.Body.Close()
	return response.StatusCode
}

// review sends an admission request and returns the body of the answer.
func (r *running) review() (body string, err error) {
	response, err := r.client.Post(r.url+ValidatePath, "application/json", strings.NewReader(create))
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	return string(raw), err
}

const admitted = `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","response":{"uid":"a-uid","allowed":true,"auditAnnotations":{"decision":"allow"}}}` + "\n"

func TestServer(t *testing.T) {
	before := runtime.NumGoroutine()
	t.Cleanup(func() { eventually(t, func() bool { return runtime.NumGoroutine() <= before }) })
	r := run(t, ServerOptions{Options: Options{Admission: Always(Admission{Reviewer: stub{}})}})
	eventually(t, func() bool { return r.probe(t, "/readyz") == http.StatusOK })
	if body, err := r.review(); err != nil || body != admitted {
		t.Errorf("body = %s, %v, want %s", body, err, admitted)
	}
	r.stop()
	if err := <-r.ended; err != nil {
		t.Errorf("Run() = %v", err)
	}
	if got := r.probe(t, "/healthz"); got != 0 {
		t.Errorf("after Run: /healthz answers %d", got)
	}
	r.client.CloseIdleConnections()
	http.DefaultClient.CloseIdleConnections()
}

func TestServerIsNotReadyWithoutACertificate(t *testing.T) {
	r := run(t, ServerOptions{
		Options:      Options{Admission: Always(Admission{Reviewer: stub{}})},
		Certificates: &static{err: fmt.Errorf("none yet")},
	})
	if got := r.probe(t, "/readyz"); got != http.StatusInternalServerError {
		t.Errorf("/readyz = %d, want 500", got)
	}
	if got := r.probe(t, "/healthz"); got != http.StatusOK {
		t.Errorf("/healthz = %d, want 200: a restart gives no certificate", got)
	}
}

// A client that sends slowly is cut off at the deadline.
func TestSlowBody(t *testing.T) {
	r := run(t, ServerOptions{Options: Options{Admission: Always(Admission{Reviewer: stub{}}), Timeout: 100 * time.Millisecond}})
	eventually(t, func() bool { return r.probe(t, "/readyz") == http.StatusOK })
	slow, feed := io.Pipe()
	defer feed.Close()           //nolint:errcheck // a pipe
	go io.WriteString(feed, `{`) //nolint:errcheck // it waits for a reader for as long as it may
	response, err := r.client.Post(r.url+ValidatePath, "application/json", slow)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusRequestTimeout {
		t.Errorf("code = %d, want 408", response.StatusCode)
	}
}

func TestServerOptions(t *testing.T) {
	valid := Options{Admission: Always(Admission{Reviewer: stub{}})}
	for _, test := range []struct {
		name    string
		options ServerOptions
		want    string
	}{
		{"no Admission", ServerOptions{Certificates: &static{}}, "needs an Admission"},
		{"no Certificates", ServerOptions{Options: valid}, "needs Certificates"},
		{"no port", ServerOptions{Options: valid, Certificates: &static{}, BindAddress: "localhost"}, "missing port"},
		{"port 0", ServerOptions{Options: valid, Certificates: &static{}, BindAddress: "localhost:0"}, "from 1 to 65535"},
	} {
		if _, err := NewServer(test.options); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: NewServer() = %v, want an error with %q", test.name, err, test.want)
		}
	}
}

func eventually(t *testing.T, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if holds() {
			return
		}
	}
	stacks := make([]byte, 1<<20)
	t.Fatalf("it did not happen within 20s\n%s", stacks[:runtime.Stack(stacks, true)])
}
