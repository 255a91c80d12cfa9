package main

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"runtime/pprof"
	"strings"
	"sync/atomic"
	"time"

	"github.com/go-logr/logr"
	"github.com/prometheus/client_golang/prometheus"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/forestall/forestall/internal/builtin"
	"github.com/forestall/forestall/internal/cluster"
	"github.com/forestall/forestall/internal/review"
	"github.com/forestall/forestall/webhook"
)

// The paths of the server.
const (
	noopPath   = "/noop"
	decodePath = "/decode"
	usagePath  = "/usage"
)

// serve is the process that is measured. It says where it is on standard output,
// and ends with its standard input.
func serve(ctx context.Context) error {
	build, err := builtin.Reviewers(ctx, cluster.OfFiles(true), review.NewCache())
	if err != nil {
		return err
	}
	reviewer, err := build(review.Settings{})
	if err != nil {
		return err
	}
	metrics, err := webhook.NewMetrics(prometheus.NewRegistry(), webhook.BuildInfo{})
	if err != nil {
		return err
	}
	hook, err := webhook.New(webhook.Options{Admission: webhook.Always(webhook.Admission{Reviewer: reviewer}), Recorder: metrics})
	if err != nil {
		return err
	}
	log.SetLogger(logr.Discard()) // else controller-runtime keeps what each request adds to its logger, until one is set
	mux := http.NewServeMux()
	mux.Handle(webhook.ValidatePath, hook.ValidateHandler())
	mux.Handle(noopPath, noop())
	mux.Handle(decodePath, decoding())
	mux.HandleFunc(usagePath, writeUsage)
	s := httptest.NewUnstartedServer(mux)
	s.StartTLS()
	defer s.Close()
	fmt.Println(s.URL)
	if err := pem.Encode(os.Stdout, &pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw}); err != nil {
		return err
	}
	fmt.Println("---")
	return profiled(os.Getenv(profileTo), func() error {
		_, err := io.Copy(io.Discard, os.Stdin)
		return err
	})
}

// profiled writes a CPU profile of what happens meanwhile, if it is given a file.
func profiled(file string, meanwhile func() error) error {
	if file == "" {
		return meanwhile()
	}
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		return errors.Join(err, f.Close())
	}
	err = meanwhile()
	pprof.StopCPUProfile()
	return errors.Join(err, f.Close())
}

// noop and decoding are what any webhook on controller-runtime costs: an answer
// without a look, and one after decoding the object.
func noop() http.Handler {
	return &admission.Webhook{Handler: admission.HandlerFunc(func(context.Context, admission.Request) admission.Response {
		return admission.Allowed("")
	})}
}

func decoding() http.Handler {
	decoder := admission.NewDecoder(runtime.NewScheme())
	return &admission.Webhook{Handler: admission.HandlerFunc(func(_ context.Context, r admission.Request) admission.Response {
		var object runtime.Object = &corev1.Pod{}
		if r.Kind.Kind == "Deployment" {
			object = &appsv1.Deployment{}
		}
		if err := decoder.Decode(r, object); err != nil {
			return admission.Errored(http.StatusBadRequest, err)
		}
		return admission.Allowed("")
	})}
}

// server is the process as its client sees it.
type server struct {
	url   string
	pool  *x509.CertPool
	cmd   *exec.Cmd
	stdin io.Closer
	// sent numbers the requests.
	sent atomic.Int64
}

func startServer(ctx context.Context) (*server, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("starting the server: %w", err)
	}
	cmd := exec.CommandContext(ctx, self)
	cmd.Env = append(os.Environ(), asServer+"=1", "GOMAXPROCS=1")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("starting the server: %w", err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("starting the server: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting the server: %w", err)
	}
	s := &server{cmd: cmd, stdin: in, pool: x509.NewCertPool()}
	lines := bufio.NewScanner(stdout)
	var certificate strings.Builder
	for lines.Scan() && lines.Text() != "---" {
		if s.url == "" {
			s.url = lines.Text()
			continue
		}
		certificate.WriteString(lines.Text() + "\n")
	}
	if !s.pool.AppendCertsFromPEM([]byte(certificate.String())) {
		s.stop()
		return nil, errors.New("starting the server: it did not say where it is")
	}
	return s, nil
}

func (s *server) stop() {
	_ = s.stdin.Close() // it ends with it
	_ = s.cmd.Wait()
}

// client returns a client with at most so many connections.
func (s *server) client(connections int) *http.Client {
	return &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: s.pool}, MaxConnsPerHost: connections, MaxIdleConnsPerHost: connections,
	}}
}
