package certs

import (
	"context"
	"crypto/tls"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/forestall/forestall/internal/certs/certtest"
)

func TestFilesAreReadAgainWhenTheyChange(t *testing.T) {
	dir := t.TempDir()
	certFile, keyFile := certtest.New(t, "first", time.Now().Add(time.Hour)).Write(t, dir)
	f, err := NewFiles(certFile, keyFile)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Ready(); err != nil {
		t.Errorf("Ready() = %v", err)
	}
	if got := subject(t, f); got != "first" {
		t.Errorf("subject = %q, want first", got)
	}
	stop := start(t, f)
	certtest.New(t, "second", time.Now().Add(time.Hour)).Write(t, dir)
	eventually(t, func() bool { return subject(t, f) == "second" })
	stop()
}

func TestFilesThatCannotBeServed(t *testing.T) {
	valid := certtest.New(t, "valid", time.Now().Add(time.Hour))
	other := certtest.New(t, "other", time.Now().Add(time.Hour))
	for _, test := range []struct {
		name string
		pair certtest.Pair
		want string
	}{
		{"the key is of another certificate", certtest.Pair{Cert: valid.Cert, Key: other.Key}, "private key does not match"},
		{"not PEM", certtest.Pair{Cert: []byte("x"), Key: valid.Key}, "failed to find any PEM data"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := NewFiles(test.pair.Write(t, t.TempDir()))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("NewFiles() = %v, want an error with %q", err, test.want)
			}
		})
	}
	t.Run("no file", func(t *testing.T) {
		_, err := NewFiles("nowhere.crt", "nowhere.key")
		if !errors.Is(err, os.ErrNotExist) {
			t.Errorf("NewFiles() = %v, want an error about a missing file", err)
		}
	})
	// certtest makes certificates that are valid for a day.
	for _, test := range []struct {
		name string
		end  time.Duration
		want string
	}{
		{"expired", -time.Minute, "the serving certificate expired at "},
		{"not valid yet", 2 * day, "the serving certificate is not valid before "},
	} {
		t.Run(test.name, func(t *testing.T) {
			f, err := NewFiles(certtest.New(t, test.name, time.Now().Add(test.end)).Write(t, t.TempDir()))
			if err != nil {
				t.Fatal(err)
			}
			if err := f.Ready(); err == nil || !strings.HasPrefix(err.Error(), test.want) {
				t.Errorf("Ready() = %v, want %s", err, test.want)
			}
		})
	}
}

type source interface {
	Start(context.Context) error
	NeedLeaderElection() bool
}

type certificates interface {
	source
	GetCertificate(*tls.ClientHelloInfo) (*tls.Certificate, error)
}

// start runs a source and returns a function that stops it and holds that it ended well.
func start(t *testing.T, s source) (stop func()) {
	t.Helper()
	if s.NeedLeaderElection() {
		t.Error("a certificate is needed on every replica, not on the leader alone")
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Start(ctx) }()
	return func() {
		t.Helper()
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("Start() = %v", err)
		}
	}
}

func subject(t *testing.T, s certificates) string {
	t.Helper()
	c, err := s.GetCertificate(nil)
	if err != nil {
		t.Fatal(err)
	}
	return c.Leaf.Subject.CommonName
}

func eventually(t *testing.T, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if holds() {
			return
		}
	}
	t.Fatal("it did not happen within 20s")
}
