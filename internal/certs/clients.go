package certs

import (
	"bytes"
	"context"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"github.com/go-logr/logr"

	"github.com/forestall/forestall/internal/follow"
)

// ClientCAs are those that sign the certificates of clients, from a file that is read again when
// it changes. A file that cannot be used leaves the last good one in force. The methods may be
// called at the same time.
type ClientCAs struct {
	path   string
	log    logr.Logger
	poll   time.Duration // as in follow.File
	pool   atomic.Pointer[x509.CertPool]
	failed atomic.Pointer[error]
	tried  []byte // the content that was looked at last; of Start alone
}

// NewClientCAs reads the file. One that cannot be used is an error here: nothing is in force yet
// that could stay so.
func NewClientCAs(path string, log logr.Logger) (*ClientCAs, error) {
	c := &ClientCAs{path: path, log: log}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("reading the CA of clients: %w", err)
	}
	pool, err := parseCAs(text)
	if err != nil {
		return nil, fmt.Errorf("reading the CA of clients: %s: %w", path, err)
	}
	c.tried = text
	c.pool.Store(pool)
	return c, nil
}

// parseCAs reads every certificate of a file. One that is broken makes all of it so: x509.CertPool
// would leave it out, and its clients.
func parseCAs(text []byte) (*x509.CertPool, error) {
	pool, found := x509.NewCertPool(), false
	for {
		var block *pem.Block
		if block, text = pem.Decode(text); block == nil {
			break
		}
		if block.Type != "CERTIFICATE" {
			continue
		}
		ca, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, fmt.Errorf("a certificate cannot be read: %w", err)
		}
		pool.AddCert(ca)
		found = true
	}
	if !found {
		return nil, errors.New("it holds no certificate")
	}
	return pool, nil
}

// CAs returns those in force.
func (c *ClientCAs) CAs() *x509.CertPool { return c.pool.Load() }

// Failed returns why the file as it is now is not in force, or nil.
func (c *ClientCAs) Failed() error {
	if err := c.failed.Load(); err != nil {
		return *err
	}
	return nil
}

// Ready returns nil: some CA is always in force.
func (*ClientCAs) Ready() error { return nil }

// NeedLeaderElection says that every replica reads its own file.
func (*ClientCAs) NeedLeaderElection() bool { return false }

// Start follows the file until ctx ends.
func (c *ClientCAs) Start(ctx context.Context) error {
	(&follow.File{Path: c.path, What: "the CA of clients", Poll: c.poll, Log: c.log, Look: c.look}).Run(ctx)
	return nil
}

// look takes the file into force if its content is not that of the last attempt.
func (c *ClientCAs) look() {
	text, err := os.ReadFile(c.path)
	if err == nil && bytes.Equal(text, c.tried) || err != nil && c.tried == nil {
		return
	}
	c.tried = text // nil where there is an error
	var pool *x509.CertPool
	if err == nil {
		pool, err = parseCAs(text)
	}
	if err != nil {
		c.failed.Store(&err)
		c.log.Error(err, "The CA of clients cannot be used; the last good one stays in force", "file", c.path)
		return
	}
	c.failed.Store(nil)
	c.pool.Store(pool)
	c.log.Info("The CA of clients is in force", "file", c.path)
}
