package certs

import (
	"bytes"
	"crypto/x509"
	"encoding/pem"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr"

	"github.com/forestall/forestall/internal/certs/certtest"
)

// trusts reports whether the CAs in force sign a client's certificate.
func trusts(t *testing.T, c *ClientCAs, client certtest.Pair) bool {
	t.Helper()
	block, _ := pem.Decode(client.Cert)
	shown, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	_, err = shown.Verify(x509.VerifyOptions{Roots: c.CAs(), KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}})
	return err == nil
}

// TestClientCAsAreReadAgain: a CA that is rotated takes effect, one that is broken or away leaves
// the last good one in force and is told of.
func TestClientCAsAreReadAgain(t *testing.T) {
	first, second := certtest.New(t, "first", time.Now().Add(time.Hour)), certtest.New(t, "second", time.Now().Add(time.Hour))
	path := filepath.Join(t.TempDir(), "ca.crt")
	replace := func(text []byte) {
		t.Helper()
		if err := os.WriteFile(path+"~", text, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(path+"~", path); err != nil {
			t.Fatal(err)
		}
	}
	replace(first.Cert)
	c, err := NewClientCAs(path, logr.Discard())
	if err != nil {
		t.Fatal(err)
	}
	if !trusts(t, c, first) || trusts(t, c, second) || c.Failed() != nil || c.Ready() != nil {
		t.Errorf("at first: first %t, second %t, %v", trusts(t, c, first), trusts(t, c, second), c.Failed())
	}
	c.poll = 10 * time.Millisecond
	stop := start(t, c)
	replace(bytes.Join([][]byte{first.Cert, second.Cert}, nil))
	eventually(t, func() bool { return trusts(t, c, first) && trusts(t, c, second) })
	replace(second.Cert)
	eventually(t, func() bool { return !trusts(t, c, first) && trusts(t, c, second) })
	for name, breaking := range map[string]func(){
		"no certificate": func() { replace([]byte("x")) },
		"half of one": func() {
			replace(append(bytes.Clone(first.Cert), pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: []byte("x")})...))
		},
		"no file": func() {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		},
	} {
		breaking()
		eventually(t, func() bool { return c.Failed() != nil })
		if trusts(t, c, first) || !trusts(t, c, second) {
			t.Errorf("%s: first %t, second %t", name, trusts(t, c, first), trusts(t, c, second))
		}
		replace(second.Cert)
		eventually(t, func() bool { return c.Failed() == nil })
	}
	stop()
}

func TestClientCAsThatCannotBeUsed(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "ca.crt")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{"nowhere.crt": "no such file", empty: "it holds no certificate"} {
		if _, err := NewClientCAs(path, logr.Discard()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("NewClientCAs(%s) = %v, want an error with %q", path, err, want)
		}
	}
}
