package webhook

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/forestall/forestall/internal/builtin"
	"github.com/forestall/forestall/internal/review"
)

var update = flag.Bool("update", false, "write the golden files anew")

// stub is a Reviewer that answers as it is told.
type stub struct {
	review func(context.Context, review.Subject) (review.Decision, error)
	repair func(context.Context, review.Decision) (review.Repaired, error)
}

func (s stub) Review(ctx context.Context, subject review.Subject) (review.Decision, error) {
	if s.review == nil {
		return review.Decision{}, nil
	}
	return s.review(ctx, subject)
}

func (s stub) Repair(ctx context.Context, _ review.Subject, d review.Decision) (review.Repaired, error) {
	if s.repair == nil {
		return review.Repaired{}, nil
	}
	return s.repair(ctx, d)
}

// decides returns a stub with one decision for everything.
func decides(d review.Decision) stub {
	return stub{review: func(context.Context, review.Subject) (review.Decision, error) { return d, nil }}
}

// realReviewer has the built-in rules and a cache, as in the cluster.
func realReviewer(t testing.TB, settings review.Settings) Reviewer {
	t.Helper()
	build, err := builtin.Reviewers(t.Context(), nil, review.NewCache())
	if err != nil {
		t.Fatal(err)
	}
	r, err := build(settings)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func newWebhook(t testing.TB, o Options) *Webhook {
	t.Helper()
	w, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// at returns the handler of a path.
func (w *Webhook) at(path string) http.Handler {
	if path == MutatePath {
		return w.MutateHandler()
	}
	return w.ValidateHandler()
}

// post sends a body as the API server does.
func post(h http.Handler, url, body string) *httptest.ResponseRecorder {
	r, w := newRequest(url, body)
	h.ServeHTTP(w, r)
	return w
}

func newRequest(url, body string) (*http.Request, *httptest.ResponseRecorder) {
	r := httptest.NewRequest(http.MethodPost, url, bytes.NewReader([]byte(body)))
	r.Header.Set("Content-Type", "application/json")
	return r, httptest.NewRecorder()
}

// reviewed is a review for a test: the fields that matter, as JSON.
type reviewed struct {
	resource, kind, group string
	operation             string
	subresource           string
	object, oldObject     string
	dryRun                bool
	user                  string // empty for ada
	namespace             string // empty for shop
}

// body returns the review as the API server would send it.
func (a reviewed) body(t testing.TB) string {
	t.Helper()
	request := map[string]any{
		"uid":         "705ab4f5-6393-11e8-b7cc-42010a800002",
		"kind":        map[string]any{"group": a.group, "version": "v1", "kind": a.kind},
		"resource":    map[string]any{"group": a.group, "version": "v1", "resource": a.resource},
		"subResource": a.subresource,
		"name":        "web",
		"namespace":   cmp.Or(a.namespace, "shop"),
		"operation":   a.operation,
		"userInfo":    map[string]any{"username": cmp.Or(a.user, "ada"), "groups": []string{"system:authenticated"}},
		"object":      object(a.object),
		"oldObject":   object(a.oldObject),
		"dryRun":      a.dryRun,
		"options":     map[string]any{"apiVersion": "meta.k8s.io/v1", "kind": "CreateOptions"},
	}
	raw, err := json.Marshal(map[string]any{
		"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request,
	})
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func object(raw string) any {
	if raw == "" {
		return nil
	}
	return json.RawMessage(raw)
}

// pod is a request to create the Pod in a file of testdata.
func pod(t testing.TB, file string) reviewed {
	t.Helper()
	return reviewed{resource: "pods", kind: "Pod", operation: "CREATE", object: read(t, file)}
}

func read(t testing.TB, file string) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// golden compares with a file of testdata, or writes it.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(filepath.Join("testdata", file), []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if want := read(t, file); got != want {
		t.Errorf("%s differs; run the test with -update and read the difference\ngot:\n%s\nwant:\n%s", file, got, want)
	}
}

// indented makes a body readable in a golden file.
func indented(t *testing.T, body []byte) string {
	t.Helper()
	var b bytes.Buffer
	if err := json.Indent(&b, body, "", "  "); err != nil {
		t.Fatalf("the body is not JSON: %v\n%s", err, body)
	}
	return b.String()
}

// observes returns a stub that passes on what it is asked about.
func observes(subjects chan<- review.Subject) stub {
	return stub{review: func(_ context.Context, s review.Subject) (review.Decision, error) {
		subjects <- s
		return review.Decision{}, nil
	}}
}
