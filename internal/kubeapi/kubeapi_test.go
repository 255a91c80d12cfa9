package kubeapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

const kubeconfig = `apiVersion: v1
kind: Config
current-context: %s
clusters:
- {name: shop-1, cluster: {server: %q}}
contexts:
- {name: prod, context: {cluster: shop-1, user: admin, namespace: shop}}
- {name: staging, context: {cluster: shop-1, user: admin}}
users:
- {name: admin, user: {token: secret}}
`

// write writes a kubeconfig.
func write(t *testing.T, current, server string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "config")
	if err := os.WriteFile(file, fmt.Appendf(nil, kubeconfig, current, server), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestConnect reads kubeconfigs as kubectl does, and says what is wrong with them.
func TestConnect(t *testing.T) {
	const server = "https://192.0.2.1:6443"
	for _, tt := range []struct {
		name, current, context string
		// none stands for no kubeconfig at all, pod for a pod of a cluster.
		none, pod bool
		want      Client
		err       string
	}{
		{name: "the current context", current: "prod", want: Client{Cluster: "shop-1", Context: "prod", Namespace: "shop", Server: server}},
		{name: "another context", current: "prod", context: "staging", want: Client{Cluster: "shop-1", Context: "staging", Server: server}},
		{name: "a mistyped context", current: "prod", context: "stagin", err: `the kubeconfig has no context "stagin": did you mean staging?`},
		{name: "no such context", current: "prod", context: "dev", err: `the kubeconfig has no context "dev": it has prod, staging`},
		{name: "no current context", current: `""`, err: "the kubeconfig has no current context: --context names one: it has prod, staging"},
		{name: "nothing", none: true, err: errNoKubeconfig.Error()},
		{
			name: "a pod without a token", none: true, pod: true,
			err: "the service account of this pod: open /var/run/secrets/kubernetes.io/serviceaccount/token: no such file or directory",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv("HOME", t.TempDir())
			t.Setenv("KUBECONFIG", "")
			t.Setenv("KUBERNETES_SERVICE_HOST", "")
			if tt.pod {
				t.Setenv("KUBERNETES_SERVICE_HOST", "192.0.2.1")
				t.Setenv("KUBERNETES_SERVICE_PORT", "443")
			}
			if !tt.none {
				missing := filepath.Join(t.TempDir(), "missing")
				t.Setenv("KUBECONFIG", missing+string(os.PathListSeparator)+write(t, tt.current, server))
			}
			c, err := Connect(Options{Context: tt.context})
			if text := fmt.Sprint(err); tt.err != "" && text != tt.err {
				t.Fatalf("got %q, want %q", text, tt.err)
			}
			if tt.err != "" {
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			got := Client{Cluster: c.Cluster, Context: c.Context, Namespace: c.Namespace, Server: c.Server}
			if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(Client{})); diff != "" {
				t.Errorf("client (-want +got):\n%s", diff)
			}
		})
	}
	if _, err := Connect(Options{Kubeconfig: filepath.Join(t.TempDir(), "none")}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that does not exist: %v", err)
	}
	if names, err := Contexts(Options{Kubeconfig: write(t, "prod", server)}); err != nil || !cmp.Equal(names, []string{"prod", "staging"}) {
		t.Errorf("contexts: %q, %v", names, err)
	}
}

// serve starts a server, and returns a client that does not wait long.
func serve(t *testing.T, handle http.HandlerFunc) *Client {
	t.Helper()
	s := httptest.NewServer(handle)
	t.Cleanup(s.Close)
	c, err := Connect(Options{Kubeconfig: write(t, "prod", s.URL), UserAgent: "forestall/test", Timeout: 2 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	c.pause = time.Millisecond
	return c
}

func status(w http.ResponseWriter, code int, reason, message, more string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_, _ = fmt.Fprintf(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","code":%d,"reason":%q,"message":%q,"metadata":{%s}}`, code, reason, message, more)
}

// TestGet tells errors of the API server apart from those of the way to it, and asks again where that helps.
func TestGet(t *testing.T) {
	for _, tt := range []struct {
		name   string
		answer func(w http.ResponseWriter, n int)
		want   string
		asked  int
	}{
		{name: "an answer", answer: func(w http.ResponseWriter, _ int) { _, _ = w.Write([]byte("{}")) }, want: "{} <nil>", asked: 1},
		{
			name: "busy for a moment", answer: func(w http.ResponseWriter, n int) {
				if n < 3 {
					w.Header().Set("Retry-After", "0")
					status(w, http.StatusTooManyRequests, "TooManyRequests", "busy", "")
					return
				}
				_, _ = w.Write([]byte("{}"))
			}, want: "{} <nil>", asked: 3,
		},
		{
			name: "forbidden", answer: func(w http.ResponseWriter, _ int) {
				status(w, http.StatusForbidden, "Forbidden", "pods is forbidden", "")
			},
			want: " pods is forbidden", asked: 1,
		},
		{
			name: "a token that has expired", answer: func(w http.ResponseWriter, _ int) {
				status(w, http.StatusUnauthorized, "Unauthorized", "Unauthorized", "")
			},
			want: ` the API server at SERVER does not accept the credentials of context "prod", which may have expired: Unauthorized`, asked: 1,
		},
		{
			name: "an answer that breaks off", answer: func(w http.ResponseWriter, _ int) {
				w.Header().Set("Content-Length", "100")
				_, _ = w.Write([]byte("{"))
			}, want: " the API server at SERVER does not answer: unexpected EOF", asked: attempts,
		},
		{
			name: "a page of a proxy", answer: func(w http.ResponseWriter, _ int) { http.Error(w, "<html>no</html>", http.StatusForbidden) },
			want: " <html>no</html>", asked: 1,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			n := 0
			c := serve(t, func(w http.ResponseWriter, r *http.Request) {
				n++
				if got := r.Method + " " + r.URL.Path + " " + r.UserAgent(); got != "GET /x forestall/test" {
					t.Errorf("asked with %q", got)
				}
				tt.answer(w, n)
			})
			raw, err := c.Get(t.Context(), "/x", nil)
			got := strings.ReplaceAll(fmt.Sprintf("%s %v", raw, err), c.Server, "SERVER")
			if got != tt.want || n != tt.asked {
				t.Errorf("got %q after %d requests, want %q after %d", got, n, tt.want, tt.asked)
			}
		})
	}
}

// TestNoServer: a server that is not there is told at once, and one that does not answer after its time.
func TestNoServer(t *testing.T) {
	s := httptest.NewServer(http.NotFoundHandler())
	s.Close()
	c, err := Connect(Options{Kubeconfig: write(t, "prod", s.URL)})
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Version(t.Context())
	if want := "the API server at " + s.URL + " does not answer: dial tcp " + strings.TrimPrefix(s.URL, "http://") + ": connect: connection refused"; fmt.Sprint(err) != want {
		t.Errorf("got %v, want %s", err, want)
	}
	slow := serve(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	slow.timeout = 10 * time.Millisecond
	_, err = slow.Version(t.Context())
	if want := "the API server at " + slow.Server + " does not answer: nothing came within 10ms"; fmt.Sprint(err) != want {
		t.Errorf("got %v, want %s", err, want)
	}
	other := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("hello")) })
	_, err = other.Version(t.Context())
	if want := "what answers at " + other.Server + " is no API server of Kubernetes"; fmt.Sprint(err) != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// names lists the objects of a list by name.
func names(ctx context.Context, c *Client) (all []string, err error) {
	l := List{Resource: schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}, Kind: "Deployment", Namespace: "shop"}
	for page, err := range c.Pages(ctx, l) {
		if err != nil {
			return all, err
		}
		for _, item := range page.Items {
			all = append(all, keyOf(item))
		}
	}
	return all, nil
}

func page(next string, items ...string) []byte {
	var all []string
	for _, name := range items {
		all = append(all, fmt.Sprintf(`{"metadata":{"name":%q,"namespace":"shop","managedFields":[{"a":1}]},"spec":{}}`, name))
	}
	return fmt.Appendf(nil, `{"kind":"DeploymentList","metadata":{"continue":%q},"items":[%s]}`, next, strings.Join(all, ","))
}

// TestPages: each object comes once, whatever becomes of the list meanwhile.
func TestPages(t *testing.T) {
	const expired = "The provided continue parameter is too old"
	for _, tt := range []struct {
		name string
		// answers by the token of the request and how often it came.
		answer func(w http.ResponseWriter, token string, n int)
		want   []string
		err    string
		tokens []string
	}{
		{
			name: "in order", answer: func(w http.ResponseWriter, token string, _ int) {
				pages := map[string][]byte{"": page("2", "a", "b"), "2": page("3", "c"), "3": page("", "d")}
				_, _ = w.Write(pages[token])
			}, want: []string{"shop/a", "shop/b", "shop/c", "shop/d"}, tokens: []string{"", "2", "3"},
		},
		{
			name: "it goes on with what is there now", answer: func(w http.ResponseWriter, token string, _ int) {
				if token == "2" {
					status(w, http.StatusGone, "Expired", expired, `"continue":"now"`)
					return
				}
				_, _ = w.Write(map[string][]byte{"": page("2", "a", "b"), "now": page("", "c")}[token])
			}, want: []string{"shop/a", "shop/b", "shop/c"}, tokens: []string{"", "2", "now"},
		},
		{
			name: "it begins again, and nothing comes twice", answer: func(w http.ResponseWriter, token string, n int) {
				switch {
				case token == "2":
					status(w, http.StatusGone, "Expired", expired, "")
				case n == 1:
					_, _ = w.Write(page("2", "a", "b"))
				default:
					_, _ = w.Write(page("", "a", "aa", "b", "c"))
				}
			}, want: []string{"shop/a", "shop/b", "shop/c"}, tokens: []string{"", "2", ""},
		},
		{
			name: "it is gone midway", answer: func(w http.ResponseWriter, token string, _ int) {
				if token == "" {
					_, _ = w.Write(page("2", "a"))
					return
				}
				panic(http.ErrAbortHandler)
			}, want: []string{"shop/a"}, err: "the API server at SERVER does not answer: EOF", tokens: []string{"", "2"},
		},
		{
			name: "no list", answer: func(w http.ResponseWriter, _ string, _ int) { _, _ = w.Write([]byte(`{"items":1}`)) },
			err: "reading a list of deployments: it is no list", tokens: []string{""},
		},
		{
			name: "an empty list", answer: func(w http.ResponseWriter, _ string, _ int) { _, _ = w.Write([]byte(`{"metadata":{},"items":null}`)) },
			tokens: []string{""},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var mu sync.Mutex // an answer that breaks off is asked for again before its handler has ended
			var tokens []string
			c := serve(t, func(w http.ResponseWriter, r *http.Request) {
				mu.Lock()
				defer mu.Unlock()
				token, n := r.URL.Query().Get("continue"), 1
				for _, before := range tokens {
					if before == token {
						n++
					}
				}
				tokens = append(tokens, token)
				if got := r.URL.Path + " " + r.URL.Query().Get("limit"); got != "/apis/apps/v1/namespaces/shop/deployments 500" {
					t.Errorf("asked for %s", got)
				}
				tt.answer(w, token, n)
			})
			got, err := names(t.Context(), c)
			mu.Lock()
			defer mu.Unlock()
			text := ""
			if err != nil {
				text = strings.ReplaceAll(err.Error(), c.Server, "SERVER")
			}
			if diff := cmp.Diff([]any{tt.want, tt.err, tt.tokens}, []any{got, text, slices.Compact(tokens)}); diff != "" {
				t.Errorf("objects, error, tokens (-want +got):\n%s", diff)
			}
		})
	}
}

// TestItem: objects get their kind, and lose the account of who has written which field.
func TestItem(t *testing.T) {
	l := List{Resource: schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}, Kind: "Deployment"}
	got, err := read([]byte(`{"metadata":{"remainingItemCount":7},"items":[
		{"kind":"Other","metadata":{"name":"a\u0062","managedFields":[{"manager":"x"}],"labels":{"managedFields":"y"}},"spec":{"metadata":{"managedFields":1}}},
		{"metadata":{"managedFields":[]}},{"metadata":null}]}`), l)
	want := Page{Remaining: 7, Items: [][]byte{
		[]byte(`{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"a\u0062","labels":{"managedFields":"y"}},"spec":{"metadata":{"managedFields":1}}}`),
		[]byte(`{"apiVersion":"apps/v1","kind":"Deployment","metadata":{}}`),
		[]byte(`{"apiVersion":"apps/v1","kind":"Deployment","metadata":null}`),
	}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(Page{})); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

// TestStopsEarly: nobody is left waiting when the caller has seen enough.
func TestStopsEarly(t *testing.T) {
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("continue") == "" {
			_, _ = w.Write(page("2", "a"))
			return
		}
		<-r.Context().Done()
	})
	for page, err := range c.Pages(t.Context(), List{Resource: schema.GroupVersionResource{Version: "v1", Resource: "pods"}, Kind: "Pod"}) {
		if err != nil || len(page.Items) != 1 {
			t.Fatal(err)
		}
		break
	}
}
