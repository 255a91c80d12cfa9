package certs

import (
	"crypto/tls"
	"errors"
	"fmt"
	"time"
)

var errNone = errors.New("there is no serving certificate yet")

// ready returns why a client would not accept the certificate, or nil.
func ready(c *tls.Certificate, err error, now time.Time) error {
	switch {
	case err != nil:
		return fmt.Errorf("%w: %w", errNone, err)
	case c == nil || c.Leaf == nil:
		return errNone
	case now.After(c.Leaf.NotAfter):
		return fmt.Errorf("the serving certificate expired at %s", c.Leaf.NotAfter.UTC().Format(time.RFC3339))
	}
	return nil
}
