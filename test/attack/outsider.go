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
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/forestall/forestall/test/apiserver"
	"github.com/forestall/forestall/test/attack/wire"
)

// outsider reaches the webhook's ports as any pod does, from an address of its own: the API
// server and the kubelet have others.
type outsider struct {
	// reviews and probes are the ports.
	reviews, probes wire.Target
}

func newOutsider(hook *apiserver.Webhook) (*outsider, error) {
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(hook.CABundle) {
		return nil, errors.New("the CA of the webhook is no certificate")
	}
	at, err := url.Parse(hook.URL)
	if err != nil {
		return nil, err
	}
	outside := netip.AddrFrom4([4]byte{127, 0, 0, 2})
	return &outsider{
		reviews: wire.Target{
			Address: net.JoinHostPort("127.0.0.1", at.Port()), From: outside,
			TLS: &tls.Config{RootCAs: pool, ServerName: at.Hostname(), MinVersion: tls.VersionTLS12},
		},
		probes: wire.Target{Address: strings.TrimPrefix(hook.HealthURL, "http://"), From: outside},
	}, nil
}

// client returns an HTTP client with connections of its own.
func (o *outsider) client() *http.Client {
	return &http.Client{Timeout: 15 * time.Second, Transport: &http.Transport{
		TLSClientConfig: o.reviews.TLS.Clone(), ForceAttemptHTTP2: true,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) { return o.reviews.TCP(ctx) },
	}}
}

// send posts a review and reads the answer. An error says that there was none.
func (o *outsider) send(ctx context.Context, c *http.Client, path string, f forged) error {
	head, tail := f.around()
	content := io.MultiReader(strings.NewReader(head), strings.NewReader(f.object), strings.NewReader(tail))
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://"+o.reviews.Address+path+"?timeout=5s", content)
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
