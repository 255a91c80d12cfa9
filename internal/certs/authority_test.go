package certs

import (
	"crypto/x509"
	"errors"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
)

const dnsName = "forestall-webhook.forestall.svc"

func TestAuthoritiesShareOneCA(t *testing.T) {
	api, config := newSecretAPI(t)
	replicas := []*Authority{newAuthority(t, config), newAuthority(t, config)}
	for _, a := range replicas {
		if err := a.Ready(); !errors.Is(err, errNone) {
			t.Errorf("before Start: Ready() = %v, want %v", err, errNone)
		}
		defer start(t, a)()
	}
	for _, a := range replicas {
		eventually(t, func() bool { return a.Ready() == nil })
		api.verifies(a)
	}
	first := api.secret()
	if got := api.ca().Subject.CommonName; got != CommonName {
		t.Errorf("the CA is %q, want %q", got, CommonName)
	}
	if got := first.Labels["app.kubernetes.io/part-of"]; got != "forestall" {
		t.Errorf("the Secret is part of %q, want forestall", got)
	}

	api.put(nil) // as a person would, to have all certificates made anew
	for _, a := range replicas {
		eventually(t, func() bool { return api.signed(a) })
		api.verifies(a)
	}
	if string(api.secret().Data["ca.crt"]) == string(first.Data["ca.crt"]) {
		t.Error("the CA is the same as before")
	}
}

func TestAuthorityOptions(t *testing.T) {
	secret := types.NamespacedName{Namespace: "forestall", Name: "forestall-webhook-ca"}
	for _, test := range []struct {
		name    string
		options AuthorityOptions
		want    string
	}{
		{"no Secret", AuthorityOptions{DNSNames: []string{dnsName}, Config: &rest.Config{}}, "namespace and a name"},
		{"no DNS name", AuthorityOptions{Secret: secret, Config: &rest.Config{}}, "needs a DNS name"},
		{"no API server", AuthorityOptions{Secret: secret, DNSNames: []string{dnsName}}, "needs an API server"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := NewAuthority(test.options)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("NewAuthority() = %v, want an error with %q", err, test.want)
			}
		})
	}
}

func newAuthority(t *testing.T, config *rest.Config) *Authority {
	t.Helper()
	return newAuthorityIn(t, config, "forestall")
}

func newAuthorityIn(t *testing.T, config *rest.Config, namespace string) *Authority {
	t.Helper()
	a, err := NewAuthority(AuthorityOptions{
		Secret:   types.NamespacedName{Namespace: namespace, Name: "forestall-webhook-ca"},
		DNSNames: []string{dnsName},
		Config:   config,
	})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// newJumping returns a running Authority that is ready, and its clock.
func newJumping(t *testing.T, config *rest.Config) (*Authority, *jumping) {
	t.Helper()
	a, now := newAuthority(t, config), &jumping{}
	a.clock, a.times.look, a.times.pause = now, 5*time.Millisecond, 5*time.Millisecond
	t.Cleanup(start(t, a))
	eventually(t, func() bool { return a.Ready() == nil })
	return a, now
}

// signed reports whether the certificate is signed by the CA in the Secret, for a
// client that calls the webhook by its name.
func (a *secretAPI) signed(authority *Authority) bool { return a.verify(authority) == nil }

func (a *secretAPI) verifies(authority *Authority) {
	a.t.Helper()
	if err := a.verify(authority); err != nil {
		a.t.Errorf("the certificate does not verify: %v", err)
	}
}

func (a *secretAPI) verify(authority *Authority) error { return a.verifyAt(authority, time.Now()) }

// verifyAt does as an API server does whose clock says now.
func (a *secretAPI) verifyAt(authority *Authority, now time.Time) error {
	c, err := authority.GetCertificate(nil)
	if err != nil {
		return err
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(a.secret().Data["ca.crt"]) {
		return errors.New("the Secret has no CA")
	}
	_, err = c.Leaf.Verify(x509.VerifyOptions{Roots: pool, DNSName: dnsName, CurrentTime: now})
	return err
}
