package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/forestall/forestall/test/apiserver"
)

// outsider reaches the webhook's port as any pod does, from an address of its own: the API
// server and the kubelet have others.
type outsider struct {
	tls     *tls.Config
	address string
	health  string
}

// outside is the address of the outsider.
const outside = "127.0.0.2"

func newOutsider(hook *apiserver.Webhook) (*outsider, error) {
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(hook.CABundle) {
		return nil, errors.New("the CA of the webhook is no certificate")
	}
	at, err := url.Parse(hook.URL)
	if err != nil {
		return nil, err
	}
	return &outsider{
		tls:     &tls.Config{RootCAs: pool, ServerName: at.Hostname(), MinVersion: tls.VersionTLS12},
		address: net.JoinHostPort("127.0.0.1", at.Port()), health: strings.TrimPrefix(hook.HealthURL, "http://"),
	}, nil
}

// dial connects to an address.
func (o *outsider) dial(ctx context.Context, address string) (net.Conn, error) {
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(outside)}, Timeout: 5 * time.Second}
	return d.DialContext(ctx, "tcp", address)
}

// open connects over TLS, for one of the protocols of HTTP ("h2" or "http/1.1").
func (o *outsider) open(ctx context.Context, protocol string) (*tls.Conn, error) {
	raw, err := o.dial(ctx, o.address)
	if err != nil {
		return nil, err
	}
	config := o.tls.Clone()
	config.NextProtos = []string{protocol}
	c := tls.Client(raw, config)
	if err := c.HandshakeContext(ctx); err != nil {
		return nil, errors.Join(err, raw.Close())
	}
	return c, nil
}

// client returns an HTTP client with connections of its own.
func (o *outsider) client() *http.Client {
	return &http.Client{Timeout: 15 * time.Second, Transport: &http.Transport{
		TLSClientConfig: o.tls.Clone(), ForceAttemptHTTP2: true,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) { return o.dial(ctx, o.address) },
	}}
}

// send posts a review and reads the answer. An error says that there was none.
func (o *outsider) send(ctx context.Context, c *http.Client, path string, f forged) error {
	head, tail := f.around()
	content := io.MultiReader(strings.NewReader(head), strings.NewReader(f.object), strings.NewReader(tail))
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://"+o.address+path+"?timeout=5s", content)
	if err != nil {
		return err
	}
	r.ContentLength = int64(len(head) + len(f.object) + len(tail))
	r.Header.Set("Content-Type", "application/json")
	response, err := c.Do(r)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	_, err = io.Copy(io.Discard, response.Body)
	return err
}

// forged is a review that no API server has sent.
type forged struct {
	namespace, user string
	// object is JSON. It may be large, and the same in many reviews.
	object string
}

// around is what stands before and after the object.
func (f forged) around() (head, tail string) {
	return fmt.Sprintf(`{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"a-uid",`+
		`"kind":{"version":"v1","kind":"Pod"},"name":"web","namespace":%q,"operation":"CREATE","userInfo":{"username":%q},"object":`,
		f.namespace, f.user), "}}"
}

// ofContainers is a Pod with these containers, in JSON.
func ofContainers(containers string) string {
	return `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web"},"spec":{"containers":[` + containers + `]}}`
}
