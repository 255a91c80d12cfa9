package load

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/forestall/forestall/test/apiserver"
)

// client has one connection to the webhook, of HTTP/2.
type client struct {
	http http.Client
	url  string
}

func newClient(t *testing.T, hook *apiserver.Webhook) *client {
	t.Helper()
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(hook.CABundle)
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}, ForceAttemptHTTP2: true}
	t.Cleanup(transport.CloseIdleConnections)
	return &client{http: http.Client{Transport: transport}, url: hook.URL}
}

// post sends a review as an API server does, and returns the answer.
func (c *client) post(t *testing.T, path string, review []byte) (code int, body string) {
	t.Helper()
	r, err := http.NewRequestWithContext(context.Background(), http.MethodPost, c.url+path+"?timeout=5s", bytes.NewReader(review))
	if err != nil {
		t.Error(err)
		return 0, ""
	}
	r.Header.Set("Content-Type", "application/json")
	response, err := c.http.Do(r)
	if err != nil {
		t.Error(err)
		return 0, ""
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.ProtoMajor != 2 {
		t.Errorf("%s: %v", response.Proto, err)
	}
	return response.StatusCode, string(text)
}

// createServices fills the cluster. They are headless: a cluster has fewer addresses.
func createServices(t *testing.T, cluster *apiserver.Cluster) {
	t.Helper()
	const writers = 16
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			for i := w; i < services; i += writers {
				name := fmt.Sprintf("service-%d", i)
				err := cluster.Client.Create(t.Context(), &corev1.Service{
					ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "default", Labels: map[string]string{"app": name, "team": "shop"}},
					Spec: corev1.ServiceSpec{
						ClusterIP: corev1.ClusterIPNone,
						Selector:  map[string]string{"app": name},
						Ports:     []corev1.ServicePort{{Name: "http", Port: 80, TargetPort: intstr.FromString("http")}},
					},
				})
				if err != nil {
					t.Errorf("creating Services: %v", err)
					return
				}
			}
		})
	}
	all.Wait()
}

// failing is a container that cannot start: its command is one word.
const failing = `{"name":"web","image":"registry.example.com/web:1","command":["sleep 1000"]}`

// review asks about a Pod with the containers.
func review(containers string) []byte {
	return []byte(`{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"a-uid",` +
		`"kind":{"version":"v1","kind":"Pod"},"name":"web","namespace":"default","operation":"CREATE",` +
		`"object":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web"},"spec":{"containers":[` + containers + `]}}}}`)
}

// largeReviews have objects of nearly 3 MiB, the most that an API server accepts, in the shapes
// that become most of in memory.
func largeReviews() [][]byte {
	const size = 3<<20 - 4<<10
	many := func(item string) string {
		var b strings.Builder
		for i := 0; b.Len() < size-len(item)-8; i++ {
			b.WriteString("," + strings.ReplaceAll(item, "%d", strconv.Itoa(i)))
		}
		return b.String()[1:]
	}
	container := func(fields string) []byte {
		return review(`{"name":"web","image":"registry.example.com/web:1",` + fields + `}`)
	}
	pod := func(field, item string) []byte {
		return review(`{"name":"web"}],"` + field + `":[` + many(item))
	}
	return [][]byte{
		container(`"env":[{"name":"A","value":"` + strings.Repeat("x", size) + `"}]`),
		container(`"args":[` + many(`"--a=%d"`) + `]`),
		container(`"env":[` + many(`{"name":"A%d","value":"$(B)"}`) + `]`),
		container(`"ports":[` + many(`{"containerPort":8080,"name":"p%d"}`) + `]`),
		review(many(`{"name":"c%d","image":"web:1","command":["sleep 1000"],"env":[{"name":"A","value":"` + strings.Repeat("x", 16<<10) + `"}]}`)),
		review(many(`{"name":"c%d","image":"web:1","command":["sleep 1000"],"readinessProbe":{"httpGet":{"port":"q"}}}`)),
		review(many(`{"name":"c%d"}`)),
		review(many(`{}`)),
		review(many(`null`)),
		pod("initContainers", `{"name":"c%d"}`),
		pod("volumes", `{}`),
		container(`"volumeMounts":[` + many(`{}`) + `]`),
		container(`"new":[` + many(`{}`) + `]`),
	}
}

// heavyReviews are smaller, and have objects that become most of in memory: some are just too large to be
// decoded, some just not.
func heavyReviews() [][]byte {
	var many strings.Builder
	for i := range 2000 {
		many.WriteString(strings.ReplaceAll(`{"name":"c%d","image":"Web%d","command":["sleep %d"],"ports":[{"containerPort":1%d,"name":"p%d"}],`+
			`"readinessProbe":{"httpGet":{"port":"q%d"}},"livenessProbe":{"tcpSocket":{"port":3%d}}},`, "%d", strconv.Itoa(i)))
	}
	return [][]byte{
		review(many.String() + `{}`),
		review(strings.Repeat(`{},`, 20_000) + `{}`),
		review(strings.Repeat(`{},`, 2_000) + `{}`),
		review(strings.Repeat(`null,`, 2_000) + `{}`),
		review(strings.Repeat(failing+`,`, 380) + `{}`),
	}
}
