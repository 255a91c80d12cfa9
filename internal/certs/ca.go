package certs

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/util/cert"
	"k8s.io/client-go/util/keyutil"
)

// CommonName is the subject of the CA.
const CommonName = "forestall-webhook-ca"

// bundleKey is the key in the Secret of the certificates that clients are to trust.
const bundleKey = "ca.crt"

// maxValue is the most bytes that are looked at in a value of the Secret. A CA of our
// own takes less than one thousand.
const maxValue = 16 << 10

// ca signs serving certificates.
type ca struct {
	cert *x509.Certificate
	key  crypto.Signer
}

// makeCA returns a new CA. The curve is the one that keyutil.MakeEllipticPrivateKeyPEM of
// client-go takes; a signature with it costs a sixth of one with P-384.
func makeCA(now time.Time, t times) (*ca, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("making the key of the CA: %w", err)
	}
	template := &x509.Certificate{
		Subject:               pkix.Name{CommonName: CommonName},
		NotBefore:             now.Add(-t.backdate),
		NotAfter:              now.Add(t.ca),
		KeyUsage:              x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		BasicConstraintsValid: true,
		IsCA:                  true,
	}
	c := &ca{cert: template, key: key}
	c.cert, err = c.issue(template, key.Public())
	return c, err
}

// issue signs a certificate.
func (c *ca) issue(template *x509.Certificate, public crypto.PublicKey) (*x509.Certificate, error) {
	raw, err := x509.CreateCertificate(rand.Reader, template, c.cert, public, c.key)
	if err != nil {
		return nil, fmt.Errorf("signing a certificate: %w", err)
	}
	return x509.ParseCertificate(raw)
}

// readCA returns the CA that a Secret holds. What it returns may have expired.
func readCA(data map[string][]byte) (*ca, error) {
	for _, key := range []string{corev1.TLSCertKey, corev1.TLSPrivateKeyKey, bundleKey} {
		if n := len(data[key]); n == 0 || n > maxValue {
			return nil, fmt.Errorf("%s has %d bytes: no CA has", key, n)
		}
	}
	pair, err := tls.X509KeyPair(data[corev1.TLSCertKey], data[corev1.TLSPrivateKeyKey])
	if err != nil {
		return nil, err
	}
	trusted, err := cert.ParseCertsPEM(data[bundleKey])
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", bundleKey, err)
	}
	key, signs := pair.PrivateKey.(crypto.Signer)
	switch {
	case !signs:
		return nil, errors.New("its key cannot sign")
	case !pair.Leaf.IsCA:
		return nil, errors.New("its certificate is not that of a CA")
	case !slices.ContainsFunc(trusted, pair.Leaf.Equal):
		return nil, fmt.Errorf("%s lacks the certificate in %s", bundleKey, corev1.TLSCertKey)
	}
	return &ca{cert: pair.Leaf, key: key}, nil
}

// due returns why another CA is to take the place of this one, or nil. A CA that is not
// valid yet stays: two replicas of which one has a wrong clock would replace each other's
// for ever.
func (c *ca) due(now time.Time) error {
	life := c.cert.NotAfter.Sub(c.cert.NotBefore)
	if c.cert.NotAfter.Sub(now) < life/3 {
		return fmt.Errorf("the CA expires at %s", rfc3339(c.cert.NotAfter))
	}
	return nil
}

// data is what a Secret holds for a CA. Clients are to trust the CA before as well, if
// there is one that is still valid: other replicas still serve with it.
func (c *ca) data(before *ca, now time.Time) (map[string][]byte, error) {
	key, err := x509.MarshalPKCS8PrivateKey(c.key)
	if err != nil {
		return nil, fmt.Errorf("encoding the key of the CA: %w", err)
	}
	own, err := cert.EncodeCertificates(c.cert)
	if err != nil {
		return nil, fmt.Errorf("encoding the CA: %w", err)
	}
	bundle := own
	if before != nil && now.Before(before.cert.NotAfter) {
		old, err := cert.EncodeCertificates(before.cert)
		if err != nil {
			return nil, fmt.Errorf("encoding the CA before: %w", err)
		}
		bundle = slices.Concat(own, old)
	}
	return map[string][]byte{
		corev1.TLSCertKey:       own,
		corev1.TLSPrivateKeyKey: pem.EncodeToMemory(&pem.Block{Type: keyutil.PrivateKeyBlockType, Bytes: key}),
		bundleKey:               bundle,
	}, nil
}
