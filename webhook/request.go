package webhook

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"os"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/forestall/forestall/internal/apijson"
	"github.com/forestall/forestall/internal/review"
)

// maxBody bounds the body of a request. The API server accepts objects of at most
// 3 MiB (MaxRequestBodyBytes in k8s.io/apiserver/pkg/server/config.go). An update
// carries two of them, which is 6 MiB; the rest of a review (user, options) is
// less than 1 MiB.
const maxBody = 7 << 20

const reviewKind = "AdmissionReview"

// request is an admission request with a UID, so that it can be answered.
type request struct {
	*admissionv1.AdmissionRequest
	// err is set where the review around the UID could not be read.
	err error
}

// refusal is the answer to what is no admission request: there is no UID that a
// review could answer to.
type refusal struct {
	code int
	err  error
}

func refuse(code int, format string, args ...any) *refusal {
	return &refusal{code: code, err: fmt.Errorf(format, args...)}
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
		return request{}, refuse(http.StatusMethodNotAllowed, "the method is %s: it must be POST", r.Method)
	}
	if t := r.Header.Get("Content-Type"); !isJSON(t) {
		return request{}, refuse(http.StatusUnsupportedMediaType, "the content type is %q: it must be application/json", t)
	}
	body := h.bodies.take(r.ContentLength)
	defer h.bodies.give(body)
	if refused := readBody(ctx, w, r, body); refused != nil {
		return request{}, refused
	}
	return decode(body.Bytes())
}

func isJSON(contentType string) bool {
	if contentType == "application/json" { // what the API server sends
		return true
	}
	t, _, err := mime.ParseMediaType(contentType)
	return err == nil && t == "application/json"
}

// readBody reads the body within the deadline: a client that sends slowly would
// otherwise hold the connection for as long as it likes.
func readBody(ctx context.Context, w http.ResponseWriter, r *http.Request, body *bytes.Buffer) *refusal {
	if deadline, ok := ctx.Deadline(); ok {
		control := http.NewResponseController(w)
		// A ResponseWriter without deadlines has no slow client behind it.
		_ = control.SetReadDeadline(deadline)
		defer control.SetReadDeadline(time.Time{}) //nolint:errcheck // as above
	}
	_, err := body.ReadFrom(http.MaxBytesReader(w, r.Body, maxBody))
	tooLarge := &http.MaxBytesError{}
	switch {
	case errors.As(err, &tooLarge):
		return refuse(http.StatusRequestEntityTooLarge, "the body is larger than %d bytes", int64(maxBody))
	case errors.Is(err, os.ErrDeadlineExceeded):
		return refuse(http.StatusRequestTimeout, "the body did not arrive in time: %w", err)
	case err != nil:
		return refuse(http.StatusBadRequest, "reading the body: %w", err)
	case body.Len() == 0:
		return refuse(http.StatusBadRequest, "the body is empty")
	}
	return nil
}

// decode reads a review in one pass. A RawExtension keeps a copy of the bytes of the object,
// so that fields which our types do not know are not lost. Where something is wrong
// but the UID is there, the request carries the error.
func decode(body []byte) (request, *refusal) {
	var ar admissionv1.AdmissionReview
	err := apijson.Unmarshal(body, &ar)
	if err != nil {
		err = fmt.Errorf("decoding the AdmissionReview: %w", err)
	}
	if v := admissionv1.SchemeGroupVersion.String(); err == nil && (ar.APIVersion != v || ar.Kind != reviewKind) {
		err = fmt.Errorf("apiVersion and kind are %q and %q: they must be %q and %q", ar.APIVersion, ar.Kind, v, reviewKind)
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
		DryRun:      r.DryRun != nil && *r.DryRun,
		User:        r.UserInfo.Username,
	}
}
