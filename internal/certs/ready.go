package certs

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"time"
)

var errNone = errors.New("there is no serving certificate yet")

// ready returns why a client would not accept the certificate, or nil.
func ready(c *tls.Certificate, err error, now time.Time) error {
	switch {
	case err != nil:
		return err
	case c == nil || c.Leaf == nil:
		return errNone
	}
	return valid("the serving certificate", c.Leaf, now)
}

// valid returns why a client whose clock says now would not accept a certificate, or nil.
func valid(what string, c *x509.Certificate, now time.Time) error {
	switch {
	case now.Before(c.NotBefore):
		return fmt.Errorf("%s is not valid before %s: this clock or that of its maker is wrong", what, rfc3339(c.NotBefore))
	case now.After(c.NotAfter):
		return fmt.Errorf("%s expired at %s", what, rfc3339(c.NotAfter))
	}
	return nil
}

func rfc3339(t time.Time) string { return t.UTC().Format(time.RFC3339) }
