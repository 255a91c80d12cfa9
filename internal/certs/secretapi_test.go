package certs

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
)

// secretAPI is as much of an API server as keeps one Secret: create, update, list
// and watch, the latter with initial events as client-go asks for them.
type secretAPI struct {
	t      *testing.T
	mu     sync.Mutex
	change *sync.Cond
	closed bool
	down   bool                // every request fails
	writes int                 // that were asked for
	events []metav1.WatchEvent // the n-th has resource version n+1
	stored *corev1.Secret
}

// newSecretAPI starts the server and returns it with the way to reach it.
func newSecretAPI(t *testing.T) (*secretAPI, *rest.Config) {
	t.Helper()
	a := &secretAPI{t: t}
	a.change = sync.NewCond(&a.mu)
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api/v1/namespaces/{namespace}/secrets", a.write("ADDED"))
	mux.HandleFunc("PUT /api/v1/namespaces/{namespace}/secrets/{name}", a.write("MODIFIED"))
	mux.HandleFunc("GET /api/v1/namespaces/{namespace}/secrets", a.read)
	server := httptest.NewServer(a.unlessDown(mux))
	t.Cleanup(func() {
		a.mu.Lock()
		a.closed = true
		a.change.Broadcast()
		a.mu.Unlock()
		server.Close()
	})
	return a, &rest.Config{Host: server.URL, ContentConfig: rest.ContentConfig{
		ContentType: runtime.ContentTypeJSON, AcceptContentTypes: runtime.ContentTypeJSON,
	}}
}

func (a *secretAPI) write(event string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		secret := &corev1.Secret{}
		if err := json.NewDecoder(r.Body).Decode(secret); err != nil {
			a.t.Errorf("decoding the Secret: %v", err)
		}
		a.mu.Lock()
		defer a.mu.Unlock()
		a.writes++
		switch {
		case event == "ADDED" && a.stored != nil:
			refuse(w, http.StatusConflict, metav1.StatusReasonAlreadyExists)
			return
		case event == "MODIFIED" && a.stored == nil:
			refuse(w, http.StatusNotFound, metav1.StatusReasonNotFound)
			return
		case event == "MODIFIED" && a.stored.ResourceVersion != secret.ResourceVersion:
			refuse(w, http.StatusConflict, metav1.StatusReasonConflict)
			return
		}
		secret.Namespace = r.PathValue("namespace")
		a.store(event, secret)
		reply(w, http.StatusCreated, secret)
	}
}

// store keeps a Secret and tells those who watch.
func (a *secretAPI) store(event string, secret *corev1.Secret) {
	secret.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "Secret"}
	secret.ResourceVersion = strconv.Itoa(len(a.events) + 1)
	a.stored = secret
	a.events = append(a.events, metav1.WatchEvent{Type: event, Object: runtime.RawExtension{Object: secret}})
	a.change.Broadcast()
}

func (a *secretAPI) read(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	if got, want := query.Get("fieldSelector"), "metadata.name=forestall-webhook-ca"; got != want {
		a.t.Errorf("the field selector is %q, want %q: the role allows no more", got, want)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case query.Get("watch") == "":
		list := &corev1.SecretList{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "SecretList"}}
		list.ResourceVersion = strconv.Itoa(len(a.events))
		if a.stored != nil {
			list.Items = append(list.Items, *a.stored)
		}
		reply(w, http.StatusOK, list)
	case query.Get("sendInitialEvents") == "true":
		if a.stored != nil {
			send(w, metav1.WatchEvent{Type: "ADDED", Object: runtime.RawExtension{Object: a.stored}})
		}
		mark := &corev1.Secret{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Secret"}}
		mark.ResourceVersion = strconv.Itoa(len(a.events))
		mark.Annotations = map[string]string{metav1.InitialEventsAnnotationKey: "true"}
		send(w, metav1.WatchEvent{Type: "BOOKMARK", Object: runtime.RawExtension{Object: mark}})
		a.follow(w, r, len(a.events))
	default:
		from, _ := strconv.Atoi(query.Get("resourceVersion"))
		a.follow(w, r, from)
	}
}

// follow sends events from the given one on, until the client or the server ends.
func (a *secretAPI) follow(w http.ResponseWriter, r *http.Request, from int) {
	_ = http.NewResponseController(w).Flush()
	defer contextWakes(r, a.change)()
	for !a.closed && !a.down && r.Context().Err() == nil {
		for ; from < len(a.events); from++ {
			send(w, a.events[from])
		}
		a.change.Wait()
	}
}

// contextWakes makes the end of a request wake those who wait.
func contextWakes(r *http.Request, c *sync.Cond) (stop func() bool) {
	return context.AfterFunc(r.Context(), func() {
		c.L.Lock()
		defer c.L.Unlock()
		c.Broadcast()
	})
}

func reply(w http.ResponseWriter, code int, object any) {
	w.Header().Set("Content-Type", runtime.ContentTypeJSON)
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(object)
}

// send writes one event of a watch.
func send(w http.ResponseWriter, e metav1.WatchEvent) {
	w.Header().Set("Content-Type", runtime.ContentTypeJSON)
	_ = json.NewEncoder(w).Encode(e)
	_ = http.NewResponseController(w).Flush()
}
