package webhook

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const (
	// maxMessage, maxCauses and maxWarnings bound the texts of an answer, in bytes. A person reads a
	// page of them, and the API server passes on about 4 KiB of warnings
	// (k8s.io/apiserver/pkg/endpoints/filters/warning.go).
	maxMessage  = 16 << 10
	maxCauses   = 32 << 10
	maxWarnings = 8 << 10
	// maxLargeAnswers bounds the bytes of all answers above maxSmall that wait to be sent. With
	// texts bounded these are patches of hundreds of containers.
	maxLargeAnswers = 8 << 20
)

// reply is an answer as it is sent. It refers to nothing else: a client that reads slowly keeps
// these bytes in memory, and neither its request nor what was made of it.
type reply struct {
	body []byte
	// sent gives back what large answers take together; nil for a small one.
	sent func()
}

// reply answers an admission review. Where there is none to answer to, it has sent the refusal.
func (h *handler) reply(ctx context.Context, w http.ResponseWriter, r *http.Request, start time.Time) (*reply, Outcome) {
	req, refused := h.read(ctx, w, r)
	if refused != nil {
		h.logRefusal(refused)
		refused.write(w)
		return nil, refused.outcome()
	}
	in := h.Admission()
	a := h.answerTo(ctx, in, req)
	if h.endpoint.audited || a.outcome == OutcomePatch {
		a.annotate()
	}
	encoded, sent := h.encode(req, a)
	if encoded == nil {
		a = h.failed(in, overloaded(errBusy))
		encoded, _ = h.encode(req, a)
	}
	h.record(req, a)
	h.tellOwner(req, a)
	h.log(req, a, time.Since(start))
	return &reply{body: encoded, sent: sent}, a.outcome
}

// encode returns the body of an answer; none for a large one while others fill the memory for them.
func (h *handler) encode(req request, a answer) (body []byte, sent func()) {
	a.bound()
	a.response.UID = req.UID
	body, err := json.Marshal(admissionv1.AdmissionReview{
		TypeMeta: metav1.TypeMeta{APIVersion: admissionv1.SchemeGroupVersion.String(), Kind: reviewKind},
		Response: &a.response,
	})
	if err != nil { // there is nothing in an answer that JSON has no form for
		h.Log.Error(err, "Encoding a response", "uid", brief(string(req.UID), maxLoggedUID))
		return nil, nil
	}
	size := int64(len(body))
	if size <= maxSmall {
		return append(body, '\n'), nil
	}
	if !h.largeAnswers.TryAcquire(size) {
		return nil, nil
	}
	return append(body, '\n'), func() { h.largeAnswers.Release(size) }
}

// bound cuts what nobody reads to its end.
func (a *answer) bound() {
	left := maxWarnings
	for i, line := range a.response.Warnings {
		if left -= len(line); left < 0 {
			a.response.Warnings = a.response.Warnings[:i:i]
			break
		}
	}
	status := a.response.Result
	if status == nil {
		return
	}
	if len(status.Message) > maxMessage {
		status.Message = strings.ToValidUTF8(status.Message[:maxMessage], "") + "…"
	}
	if status.Details == nil {
		return
	}
	left = maxCauses
	for i, cause := range status.Details.Causes {
		if left -= len(cause.Message) + len(cause.Field) + len(cause.Type); left < 0 {
			status.Details.Causes = status.Details.Causes[:i:i]
			break
		}
	}
}

// send sends an answer.
func (h *handler) send(w http.ResponseWriter, r *reply) {
	if r.sent != nil {
		defer r.sent()
	}
	w.Header().Set("Content-Type", "application/json")
	if _, err := w.Write(r.body); err != nil { // the client has gone or does not read: nothing for an operator to mend
		h.Log.V(verbose).Info("An answer was not sent", "path", h.endpoint.name, "why", err.Error())
	}
}
