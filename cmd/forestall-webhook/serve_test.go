package main

import (
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/forestall/forestall/internal/certs/certtest"
)

const request = `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"a-uid",` +
	`"kind":{"version":"v1","kind":"Pod"},"name":"web","namespace":"shop","operation":"CREATE",` +
	`"object":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web"},"spec":{"containers":[{"name":"web","image":"registry.example.com/web:1"}]}}}}`

// The command from its start to SIGTERM: it reads its configuration, answers over
// TLS, counts, and exits with 0.
func TestServe(t *testing.T) {
	dir := t.TempDir()
	pair := certtest.New(t, "webhook", time.Now().Add(time.Hour))
	certFile, keyFile := pair.Write(t, dir)
	cfg := filepath.Join(dir, "config.yaml")
	if err := os.WriteFile(cfg, []byte("apiVersion: forestall.dev/v1alpha1\nkind: Configuration\nrules:\n  memory-limit-missing:\n    level: warn\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	serving, health, metrics := freeAddress(t), freeAddress(t), freeAddress(t)
	cmd := exec.Command(os.Args[0], "--tls-cert-file="+certFile, "--tls-key-file="+keyFile, "--config="+cfg,
		"--webhook-bind-address="+serving, "--health-probe-bind-address="+health, "--metrics-bind-address="+metrics,
		"--shutdown-delay=10ms", "--log-format=json")
	cmd.Env = append(os.Environ(), asCommand+"=1")
	log, err := os.Create(filepath.Join(dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close() //nolint:errcheck // the command has its own copy of the file
	cmd.Stderr = log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	waitFor(t, "http://"+health+"/readyz", log.Name())

	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pair.Pool(), ServerName: "localhost"}}}
	response, err := client.Post("https://"+serving+"/validate", "application/json", strings.NewReader(request))
	if err != nil {
		t.Fatal(err)
	}
	const warned = `"allowed":true,"auditAnnotations":{"decision":"warn","rules":"memory-limit-missing"},"warnings":[`
	if body := readBody(t, response); !strings.Contains(body, warned) {
		t.Errorf("body = %s, want %s in it", body, warned)
	}
	response, err = http.Get("http://" + metrics + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	const counted = "\n" + `forestall_findings_total{kind="Pod",level="warn",owned="false",rule="memory-limit-missing"} 1` + "\n"
	if body := readBody(t, response); !strings.Contains(body, counted) || !strings.Contains(body, "\nforestall_build_info{") {
		t.Errorf("no line %s in\n%s", counted, body)
	}

	reconfigure(t, cfg, "mode: off\n", metrics)
	response, err = client.Post("https://"+serving+"/validate", "application/json", strings.NewReader(request))
	if err != nil {
		t.Fatal(err)
	}
	if body := readBody(t, response); !strings.Contains(body, `"allowed":true,"auditAnnotations":{"decision":"skip"}`) {
		t.Errorf("with mode off: %s", body)
	}

	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("after SIGTERM: %v\n%s", err, read(t, log.Name()))
	}
	for line := range strings.Lines(read(t, log.Name())) {
		if !strings.HasPrefix(line, "{") {
			t.Errorf("a line of the log is not JSON: %s", line)
		}
	}
}

// reconfigure replaces the configuration while the command runs, and waits until it
// says that it is in force.
func reconfigure(t *testing.T, file, text, metrics string) {
	t.Helper()
	text = "apiVersion: forestall.dev/v1alpha1\nkind: Configuration\n" + text
	if err := errors.Join(os.WriteFile(file+"~", []byte(text), 0o600), os.Rename(file+"~", file)); err != nil {
		t.Fatal(err)
	}
	const loaded = `forestall_config_loads_total{result="success"} 2`
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		response, err := http.Get("http://" + metrics + "/metrics")
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(readBody(t, response), loaded) {
			return
		}
	}
	t.Fatal("the new configuration is not in force within 30s")
}

func waitFor(t *testing.T, url, log string) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		response, err := http.Get(url)
		if err != nil {
			continue
		}
		_ = response.Body.Close()
		if response.StatusCode == http.StatusOK {
			return
		}
	}
	t.Fatalf("%s does not answer 200 within 30s\n%s", url, read(t, log))
}

func readBody(t *testing.T, response *http.Response) string {
	t.Helper()
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
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

func read(t *testing.T, file string) string {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}
