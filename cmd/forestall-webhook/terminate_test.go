package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/forestall/forestall/internal/certs/certtest"
	"github.com/forestall/forestall/test/attack/wire"
)

// TestTerminatedUnderLoad ends the process while clients send without a pause over HTTP/1.1 and
// HTTP/2, and others hang. Every request that was sent is answered; the exit code is 0.
func TestTerminatedUnderLoad(t *testing.T) {
	dir := t.TempDir()
	pair := certtest.New(t, "webhook", time.Now().Add(time.Hour))
	certFile, keyFile := pair.Write(t, dir)
	serving, health := freeAddress(t), freeAddress(t)
	cmd := exec.Command(os.Args[0], "--tls-cert-file="+certFile, "--tls-key-file="+keyFile,
		"--webhook-bind-address="+serving, "--health-probe-bind-address="+health, "--metrics-bind-address=0", "--shutdown-delay=500ms")
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
	for range 10 {
		c, err := (wire.Target{Address: serving}).HTTP1(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close() //nolint:errcheck // the server may have closed it
		if _, err := io.WriteString(c, "POST /validate HTTP/1.1\r\nHost:"); err != nil {
			t.Fatal(err)
		}
	}

	load := &load{url: "https://" + serving + "/validate"}
	for _, protocol := range []string{"http/1.1", "h2"} {
		transport := &http.Transport{
			TLSClientConfig:   &tls.Config{RootCAs: pair.Pool(), ServerName: "localhost", NextProtos: []string{protocol}},
			ForceAttemptHTTP2: protocol == "h2", MaxIdleConnsPerHost: 25,
		}
		defer transport.CloseIdleConnections()
		for range 8 {
			load.senders.Go(func() { load.send(t, &http.Client{Transport: transport}) })
		}
	}
	for load.answered.Load() < 500 {
		time.Sleep(time.Millisecond)
	}
	before, start := load.answered.Load(), time.Now()
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	load.senders.Wait()
	if err := cmd.Wait(); err != nil {
		t.Errorf("after SIGTERM: %v\n%s", err, read(t, log.Name()))
	}
	t.Logf("%d answers, %d after SIGTERM; it took %s", load.answered.Load(), load.answered.Load()-before, time.Since(start))
	if load.answered.Load() == before {
		t.Error("nothing was answered after SIGTERM")
	}
	if took := time.Since(start); took > 25*time.Second {
		t.Errorf("it took %s", took)
	}
}

// load are clients that send until nobody takes a connection any more.
type load struct {
	url      string
	senders  sync.WaitGroup
	answered atomic.Int64
}

func (l *load) send(t *testing.T, client *http.Client) {
	for {
		sent, dial := atomic.Bool{}, &net.OpError{}
		ctx := httptrace.WithClientTrace(context.Background(), &httptrace.ClientTrace{WroteHeaders: func() { sent.Store(true) }})
		err := l.ask(ctx, client)
		switch {
		case err == nil:
			l.answered.Add(1)
		case !sent.Load(), errors.As(err, &dial) && dial.Op == "dial":
			return // there was no connection, or one that said it ends: another replica would be asked
		default:
			t.Errorf("a request was lost: %v", err)
			return
		}
	}
}

func (l *load) ask(ctx context.Context, client *http.Client) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, l.url, strings.NewReader(request))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	response, err := client.Do(r)
	if err != nil {
		return err
	}
	body, err := io.ReadAll(response.Body)
	if err == nil && !strings.Contains(string(body), `"decision":`) {
		err = fmt.Errorf("%s: %s", response.Status, body)
	}
	return errors.Join(err, response.Body.Close())
}
