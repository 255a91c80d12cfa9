package certs

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"time"
)

// times say how long certificates are valid, and how often they are looked at.
type times struct {
	// ca and leaf are how long the CA and a serving certificate are valid from now on. A
	// CA is renewed when a third of its time is left, a serving certificate a bit earlier.
	ca, leaf time.Duration
	// backdate is how long before now they are valid already, for clients whose clock is
	// behind.
	backdate time.Duration
	// look is the time between two looks at the clock, which may jump or have stood still.
	look time.Duration
	// pause is the first pause after a new CA was written; it doubles with each that follows.
	pause time.Duration
}

// usual are the times in a cluster. An hour is by how much client-go dates back, too
// (GenerateSelfSignedCertKeyWithOptions in util/cert/cert.go); kubeadm does by five minutes
// (CertificateBackdate in cmd/kubeadm/app/constants), as does the signer of
// kube-controller-manager (pkg/controller/certificates/signer).
func usual() times {
	return times{
		ca: 365 * 24 * time.Hour, leaf: 7 * 24 * time.Hour, backdate: time.Hour,
		look: 10 * time.Second, pause: time.Second,
	}
}

// serving is a serving certificate, with what tells when it must be replaced.
type serving struct {
	certificate *tls.Certificate
	issuer      *x509.Certificate
	renew       time.Time
}

// sign returns a serving certificate with a key of its own, which a client that trusts the
// CA accepts.
func (c *ca) sign(names []string, now time.Time, t times) (*serving, error) {
	end := now.Add(t.leaf)
	if end.After(c.cert.NotAfter) {
		end = c.cert.NotAfter
	}
	life := end.Sub(now)
	if life <= 0 {
		return nil, valid("the CA", c.cert, now)
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("making a key: %w", err)
	}
	leaf, err := c.issue(&x509.Certificate{
		DNSNames:              names,
		NotBefore:             now.Add(-t.backdate),
		NotAfter:              end,
		KeyUsage:              x509.KeyUsageDigitalSignature,
		ExtKeyUsage:           []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		BasicConstraintsValid: true,
	}, key.Public())
	if err != nil {
		return nil, err
	}
	if err := c.accepts(leaf, now); err != nil {
		return nil, err
	}
	// At two thirds at the latest, and not with all replicas at once.
	jitter := time.Duration(mathrand.Float64() * float64(life) / 10)
	return &serving{
		certificate: &tls.Certificate{Certificate: [][]byte{leaf.Raw}, PrivateKey: key, Leaf: leaf},
		issuer:      c.cert,
		renew:       now.Add(life*2/3 - jitter),
	}, nil
}

// accepts holds that the CA may sign what it signed: it may be bound to other names or uses.
func (c *ca) accepts(leaf *x509.Certificate, now time.Time) error {
	if now.Before(c.cert.NotBefore) {
		now = c.cert.NotBefore
	}
	roots := x509.NewCertPool()
	roots.AddCert(c.cert)
	if _, err := leaf.Verify(x509.VerifyOptions{Roots: roots, CurrentTime: now}); err != nil {
		return fmt.Errorf("clients do not accept what the CA signs: %w", err)
	}
	return nil
}

// serves reports whether the certificate is one of this CA and need not be replaced yet. A
// clock that has gone back behind its first moment is a reason, too.
func (s *serving) serves(c *ca, now time.Time) bool {
	return s != nil && s.issuer.Equal(c.cert) && now.Before(s.renew) && !now.Before(s.certificate.Leaf.NotBefore)
}

// ready returns why a client would not accept the certificate, or nil.
func (s *serving) ready(now time.Time) error {
	if s == nil {
		return errNone
	}
	return errors.Join(valid("the serving certificate", s.certificate.Leaf, now), valid("the CA", s.issuer, now))
}
