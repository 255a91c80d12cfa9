package certs

import (
	"context"
	"fmt"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/certwatcher"
)

// Files serves with a certificate and key from files, and reads them again when
// they change.
type Files struct {
	*certwatcher.CertWatcher
}

// NewFiles reads the files. Files that are missing or do not belong together are an
// error at once, not at the first connection.
func NewFiles(certFile, keyFile string) (*Files, error) {
	w, err := certwatcher.New(certFile, keyFile)
	if err != nil {
		return nil, fmt.Errorf("reading the serving certificate: %w", err)
	}
	return &Files{CertWatcher: w}, nil
}

// Start watches the files until ctx ends.
func (f *Files) Start(ctx context.Context) error {
	if err := f.CertWatcher.Start(ctx); err != nil {
		return fmt.Errorf("watching the serving certificate: %w", err)
	}
	return nil
}

// Ready returns why a client would not accept the certificate, or nil.
func (f *Files) Ready() error {
	c, err := f.GetCertificate(nil)
	return ready(c, err, time.Now())
}
