package certs

import (
	"crypto/x509"
	"errors"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
)

const dnsName = "forestall-webhook.forestall.svc"

// The library is used with other versions of Kubernetes than those it was tested
// with; this test is what notices.
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

	api.wipe() // as a person would, to have all certificates made anew
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
	a, err := NewAuthority(AuthorityOptions{
		Secret:   types.NamespacedName{Namespace: "forestall", Name: "forestall-webhook-ca"},
		DNSNames: []string{dnsName},
		Config:   config,
	})
	if err != nil {
		t.Fatal(err)
	}
	return a
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

func (a *secretAPI) verify(authority *Authority) error {
	c, err := authority.GetCertificate(nil)
	if err != nil {
		return err
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(a.secret().Data["ca.crt"]) {
		return errors.New("the Secret has no CA")
	}
	_, err = c.Leaf.Verify(x509.VerifyOptions{Roots: pool, DNSName: dnsName})
	return err
}
