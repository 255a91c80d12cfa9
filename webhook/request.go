package webhook

import (
	"context"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"os"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/forestall/forestall/internal/apijson"
	"github.com/forestall/forestall/internal/review"
	"github.com/forestall/forestall/internal/workload"
)

// maxBody bounds the body of a request. The API server accepts objects of at most
// 3 MiB (MaxRequestBodyBytes in k8s.io/apiserver/pkg/server/config.go). An update
// carries two of them, which is 6 MiB; the rest of a review (user, options) is
// less than 1 MiB.
const maxBody = 7 << 20

// maxUID bounds the uid of a request, in bytes. It goes into the answer as it is. The API server's
// are UUIDs, of 36 (k8s.io/apiserver/pkg/admission/plugin/webhook/request/admissionreview.go).
const maxUID = 256

const reviewKind = "AdmissionReview"

// request is an admission request with a UID, so that it can be answered.
type request struct {
	*admissionv1.AdmissionRequest
	// body is what the request was read from; its objects may be parts of it.
	body *body
	// verified is true where the client has shown a certificate of the configured CA.
	verified bool
	// err is set where the review around the UID could not be read.
	err error
}

// refusal is the answer to what is no admission request, or was not read to its end: there is
// no UID that a review could answer to.
type refusal struct {
	code int
	err  error
	// namespace of the object, where it was looked for.
	namespace string
}

func refuse(code int, format string, args ...any) *refusal {
	return &refusal{code: code, err: fmt.Errorf(format, args...)}
}

// outcome is how the request ends.
func (r *refusal) outcome() Outcome {
	switch {
	case errors.Is(r.err, errNoMemory), errors.Is(r.err, errNoTurn):
		return OutcomeBodyOverload
	case errors.Is(r.err, errNamespaceMemory), errors.Is(r.err, errNamespaceTurn):
		return OutcomeNamespaceOverload
	}
	return OutcomeRejected
}

// Error says what is wrong with the HTTP request.
func (r *refusal) Error() string { return r.err.Error() }

func (r *refusal) write(w http.ResponseWriter) {
	if r.code == http.StatusMethodNotAllowed {
		w.Header().Set("Allow", http.MethodPost)
	}
	http.Error(w, "forestall: "+r.Error(), r.code)
}

// read takes the admission request out of an HTTP request.
func (h *handler) read(ctx context.Context, w http.ResponseWriter, r *http.Request) (request, *refusal) {
	if r.Method != http.MethodPost {
		return request{}, refuse(http.StatusMethodNotAllowed, "the method is %s: it must be POST", brief(r.Method, maxLoggedKind))
	}
	if t := r.Header.Get("Content-Type"); !isJSON(t) {
		return request{}, refuse(http.StatusUnsupportedMediaType, "the content type is %q: it must be application/json", brief(t, maxLoggedKind))
	}
	body, refused := h.readBody(ctx, w, r)
	if refused != nil {
		return request{}, refused
	}
	if err := body.await(ctx); err != nil {
		refused := &refusal{code: http.StatusServiceUnavailable, err: err, namespace: peekNamespace(body.bytes)}
		body.release()
		return request{}, refused
	}
	req, refused := decode(body.bytes)
	if refused != nil {
		body.release()
		return request{}, refused
	}
	req.body, req.verified = body, verified(r.TLS)
	return req, nil
}

// release gives the memory of the body back, when nobody looks at the objects any more.
func (r request) release() {
	r.Object, r.OldObject, r.Options = runtime.RawExtension{}, runtime.RawExtension{}, runtime.RawExtension{}
	r.body.release()
}

func isJSON(contentType string) bool {
	if contentType == "application/json" { // what the API server sends
		return true
	}
	t, _, err := mime.ParseMediaType(contentType)
	return err == nil && t == "application/json"
}

// readBody reads the body within the deadline: a client that sends slowly would
// otherwise hold the connection for as long as it likes. A deadline holds for what is not read as well.
//
// A body that is refused before its end is not read to it. net/http then resets the stream of
// HTTP/2, and gives the connection back the room that the body had in its window, so that
// others go on; of HTTP/1.1 it closes the connection, after the answer had time to arrive.
func (h *handler) readBody(ctx context.Context, w http.ResponseWriter, r *http.Request) (*body, *refusal) {
	control := http.NewResponseController(w)
	if deadline, ok := ctx.Deadline(); ok {
		// A ResponseWriter without deadlines has no slow client behind it.
		_ = control.SetReadDeadline(deadline)
	}
	if r.ContentLength > maxBody {
		return nil, tooLarge()
	}
	body, err := h.bodies.read(http.MaxBytesReader(w, r.Body, maxBody), r.ContentLength)
	beyond := &http.MaxBytesError{}
	switch {
	case errors.As(err, &beyond):
		return nil, tooLarge()
	case errors.Is(err, errNoMemory):
		// Without Retry-After: with it, the API server would wait and ask again within the time that
		// it has for this webhook (k8s.io/client-go/rest/with_retry.go).
		return nil, refuse(http.StatusServiceUnavailable, "%w", err)
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, refuse(http.StatusRequestTimeout, "the body did not arrive in time: %w", err)
	case err != nil:
		return nil, refuse(http.StatusBadRequest, "reading the body: %w", err)
	case len(body.bytes) == 0:
		body.release()
		return nil, refuse(http.StatusBadRequest, "the body is empty")
	}
	_ = control.SetReadDeadline(time.Time{}) // as above; while nothing is read a deadline would end the connection
	return body, nil
}

func tooLarge() *refusal {
	return refuse(http.StatusRequestEntityTooLarge, "the body is larger than %d bytes", int64(maxBody))
}

// decode reads a review in one pass. A RawExtension keeps a copy of the bytes of the object,
// so that fields which our types do not know are not lost. Where something is wrong
// but the UID is there, the request carries the error.
func decode(body []byte) (request, *refusal) {
	var ar admissionv1.AdmissionReview
	err := apijson.Unmarshal(body, &ar)
	if err != nil {
		err = fmt.Errorf("decoding the AdmissionReview: %s", brief(workload.Unquoted(err), maxLoggedWhy))
	}
	if v := admissionv1.SchemeGroupVersion.String(); err == nil && (ar.APIVersion != v || ar.Kind != reviewKind) {
		err = fmt.Errorf("apiVersion and kind are %q and %q: they must be %q and %q",
			brief(ar.APIVersion, maxLoggedKind), brief(ar.Kind, maxLoggedKind), v, reviewKind)
	}
	if ar.Request != nil && len(ar.Request.UID) > maxUID {
		return request{}, refuse(http.StatusBadRequest, "the uid has %d bytes: it must have at most %d", len(ar.Request.UID), maxUID)
	}
	if ar.Request != nil && ar.Request.UID != "" {
		return request{AdmissionRequest: ar.Request, err: err}, nil
	}
	if err == nil {
		err = errors.New("the AdmissionReview has no request with a uid")
	}
	return request{}, &refusal{code: http.StatusBadRequest, err: err}
}

// subject is the request as the Reviewer takes it. Nothing after it knows HTTP.
func (r request) subject() review.Subject {
	return review.Subject{
		Operation:   review.Operation(r.Operation),
		Kind:        schema.GroupVersionKind(r.Kind),
		Namespace:   r.Namespace,
		Name:        r.Name,
		Subresource: r.SubResource,
		Object:      r.Object.Raw,
		OldObject:   r.OldObject.Raw,
		DryRun:      r.dryRun(),
		User:        r.UserInfo.Username,
		Verified:    r.verified,
	}
}

func (r request) dryRun() bool { return r.DryRun != nil && *r.DryRun }
