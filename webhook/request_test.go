package webhook

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/config"
	"github.com/forestall/forestall/internal/review"
)

// endless is a body that never ends.
type endless struct{}

func (endless) Read(p []byte) (int, error) { return copy(p, bytes.Repeat([]byte(" "), len(p))), nil }

func text(body string) func() io.Reader {
	return func() io.Reader { return strings.NewReader(body) }
}

const uid = `"uid":"a-uid"`

func TestRequestsThatAreNone(t *testing.T) {
	for _, test := range []struct {
		name        string
		method      string
		contentType string
		body        func() io.Reader
		code        int
		want        string
	}{
		{"wrong method", http.MethodGet, "application/json", text(`{}`), http.StatusMethodNotAllowed, "forestall: the method is GET: it must be POST\n"},
		{"wrong content type", http.MethodPost, "application/yaml", text(`{}`), http.StatusUnsupportedMediaType, "forestall: the content type is \"application/yaml\": it must be application/json\n"},
		{"no content type", http.MethodPost, "", text(`{}`), http.StatusUnsupportedMediaType, "forestall: the content type is \"\": it must be application/json\n"},
		{"no body", http.MethodPost, "application/json", text(""), http.StatusBadRequest, "forestall: the body is empty\n"},
		{"endless body", http.MethodPost, "application/json", func() io.Reader { return endless{} }, http.StatusRequestEntityTooLarge, "forestall: the body is larger than 7340032 bytes\n"},
		{"large body", http.MethodPost, "application/json", text(strings.Repeat(" ", maxBody+1)), http.StatusRequestEntityTooLarge, "forestall: the body is larger than 7340032 bytes\n"},
		{"malformed", http.MethodPost, "application/json", text(`{]`), http.StatusBadRequest, "forestall: decoding the AdmissionReview: invalid character ']' looking for beginning of object key string\n"},
		{"truncated", http.MethodPost, "application/json", text(`{"apiVersion":"admission.k8s.io/v1","request":{` + uid), http.StatusBadRequest, "forestall: decoding the AdmissionReview: unexpected end of JSON input\n"},
		{"not a review", http.MethodPost, "application/json", text(`{"apiVersion":"v1","kind":"Pod"}`), http.StatusBadRequest, "forestall: apiVersion and kind are \"v1\" and \"Pod\": they must be \"admission.k8s.io/v1\" and \"AdmissionReview\"\n"},
		{"no request", http.MethodPost, "application/json", text(`{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview"}`), http.StatusBadRequest, "forestall: the AdmissionReview has no request with a uid\n"},
		{"no uid", http.MethodPost, "application/json", text(`{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{}}`), http.StatusBadRequest, "forestall: the AdmissionReview has no request with a uid\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, path := range []string{ValidatePath, MutatePath} {
				r := httptest.NewRequest(test.method, path, test.body())
				r.Header.Set("Content-Type", test.contentType)
				w := httptest.NewRecorder()
				newWebhook(t, Options{Admission: Always(Admission{Reviewer: stub{}, FailureMode: config.Fail})}).at(path).ServeHTTP(w, r)
				if w.Code != test.code {
					t.Errorf("%s: code = %d, want %d", path, w.Code, test.code)
				}
				if got := w.Body.String(); got != test.want {
					t.Errorf("%s: body\ngot  %s\nwant %s", path, got, test.want)
				}
			}
		})
	}
}

// A review that is wrong but has a UID is answered with it.
func TestMalformedReviews(t *testing.T) {
	const ignored = `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","response":{"uid":"a-uid","allowed":true,` +
		`"status":{"metadata":{},"status":"Failure","message":"forestall: the admission request could not be read; admitted without a review",` +
		`"reason":"BadRequest","code":400},"auditAnnotations":{"decision":"malformed"},` +
		`"warnings":["forestall: the admission request could not be read; admitted without a review"]}}` + "\n"
	const refused = `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","response":{"uid":"a-uid","allowed":false,` +
		`"status":{"metadata":{},"status":"Failure","message":"forestall: the admission request could not be read",` +
		`"reason":"BadRequest","code":400},"auditAnnotations":{"decision":"malformed"}}}` + "\n"
	for _, test := range []struct{ name, body string }{
		{"an old version", `{"apiVersion":"admission.k8s.io/v1beta1","kind":"AdmissionReview","request":{` + uid + `}}`},
		{"another kind", `{"apiVersion":"admission.k8s.io/v1","kind":"Review","request":{` + uid + `}}`},
		{"a field of the wrong type", `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{` + uid + `,"operation":1}}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			for mode, want := range map[config.FailureMode]string{config.Ignore: ignored, config.Fail: refused} {
				w := post(newWebhook(t, Options{Admission: Always(Admission{Reviewer: stub{}, FailureMode: mode})}).ValidateHandler(), ValidatePath, test.body)
				if w.Code != http.StatusOK {
					t.Errorf("%s: code = %d, want 200", mode, w.Code)
				}
				if got := w.Body.String(); got != want {
					t.Errorf("%s: body\ngot  %s\nwant %s", mode, got, want)
				}
			}
		})
	}
}

// The Reviewer sees the whole request.
func TestSubject(t *testing.T) {
	const body = `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{` + uid + `,` +
		`"kind":{"group":"apps","version":"v1","kind":"Deployment"},"resource":{"group":"apps","version":"v1","resource":"deployments"},` +
		`"subResource":"resize","name":"web","namespace":"shop","operation":"UPDATE","userInfo":{"username":"ada"},` +
		`"object":{"new": 1.50},"oldObject":{"old":true},"dryRun":true}}`
	want := review.Subject{
		Operation: review.Update, Namespace: "shop", Name: "web", Subresource: "resize",
		Object: []byte(`{"new": 1.50}`), OldObject: []byte(`{"old":true}`), DryRun: true, User: "ada",
	}
	want.Kind.Group, want.Kind.Version, want.Kind.Kind = "apps", "v1", "Deployment"
	r := httptest.NewRequest(http.MethodPost, ValidatePath, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json; charset=utf-8")
	got := make(chan review.Subject, 1)
	newWebhook(t, Options{Admission: Always(Admission{Reviewer: observes(got)})}).ValidateHandler().ServeHTTP(httptest.NewRecorder(), r)
	if diff := cmp.Diff(want, <-got); diff != "" {
		t.Errorf("subject (-want +got):\n%s", diff)
	}
}

// TestVerified: only a client that has shown a certificate of the configured CA may be told everything.
func TestVerified(t *testing.T) {
	for _, tt := range []struct {
		name string
		tls  *tls.ConnectionState
		want bool
	}{
		{"without TLS", nil, false},
		{"without a certificate", &tls.ConnectionState{}, false},
		{"a certificate that nobody has checked", &tls.ConnectionState{PeerCertificates: []*x509.Certificate{{}}}, false},
		{"a certificate of the CA", &tls.ConnectionState{VerifiedChains: [][]*x509.Certificate{{{}}}}, true},
	} {
		subjects := make(chan review.Subject, 1)
		w := newWebhook(t, Options{Admission: Always(Admission{Reviewer: observes(subjects)})})
		r, recorder := newRequest(ValidatePath, create)
		r.TLS = tt.tls
		w.ValidateHandler().ServeHTTP(recorder, r)
		if got := <-subjects; got.Verified != tt.want {
			t.Errorf("%s: verified: %t", tt.name, got.Verified)
		}
	}
}
