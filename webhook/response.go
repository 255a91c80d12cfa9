package webhook

import (
	"errors"
	"net/http"
	"runtime/debug"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/forestall/forestall/internal/config"
	"github.com/forestall/forestall/internal/explain"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/review"
	"github.com/forestall/forestall/internal/workload"
)

// denial is the status of a refused request. The API server shows the message to
// people, and keeps the causes for machines. The reason is Forbidden: with Invalid,
// kubectl would print the causes in its own words and drop the message.
func denial(d review.Decision) *metav1.Status {
	denied := d.At(finding.Deny)
	causes := make([]metav1.StatusCause, 0, len(denied))
	for _, f := range denied {
		causes = append(causes, metav1.StatusCause{
			Type: metav1.CauseType(f.Rule), Message: explain.Reason(f), Field: f.Path,
		})
	}
	gv, _ := schema.ParseGroupVersion(d.Object.APIVersion) // the object was read by it
	return &metav1.Status{
		Status:  metav1.StatusFailure,
		Code:    http.StatusForbidden,
		Reason:  metav1.StatusReasonForbidden,
		Message: explain.Denial(d),
		Details: &metav1.StatusDetails{
			Group: gv.Group, Kind: d.Object.Kind, Name: d.Object.Name, Causes: causes,
		},
	}
}

// failure is why there was no review.
type failure struct {
	outcome Outcome
	code    int32
	reason  metav1.StatusReason
	// text says it to people.
	text string
	// err says it to those who run forestall.
	err error
}

func timedOut() failure {
	return failure{
		outcome: OutcomeTimeout, code: http.StatusGatewayTimeout, reason: metav1.StatusReasonTimeout,
		text: "no verdict before the deadline",
	}
}

// overloaded says why there was no slot: an error of a queue, or of the memory for bodies.
func overloaded(err error) failure {
	if errors.Is(err, errNamespaceBusy) || errors.Is(err, errNamespaceMemory) {
		return failure{
			outcome: OutcomeNamespaceOverload, code: http.StatusTooManyRequests, reason: metav1.StatusReasonTooManyRequests,
			text: "too many reviews of this namespace at once",
		}
	}
	return failure{
		outcome: OutcomeOverload, code: http.StatusServiceUnavailable, reason: metav1.StatusReasonServiceUnavailable,
		text: "too many reviews at once",
	}
}

func unreadable(err error) failure {
	return failure{
		outcome: OutcomeError, code: http.StatusBadRequest, reason: metav1.StatusReasonBadRequest,
		text: "the object could not be read", err: errors.New(brief(workload.Unquoted(err), maxLoggedWhy)),
	}
}

func malformed(err error) failure {
	return failure{
		outcome: OutcomeMalformed, code: http.StatusBadRequest, reason: metav1.StatusReasonBadRequest,
		text: "the admission request could not be read", err: err,
	}
}

func panicked(value any) failure {
	return failure{
		outcome: OutcomePanic, code: http.StatusInternalServerError, reason: metav1.StatusReasonInternalError,
		text: "an internal error", err: errors.New(panicText(value, debug.Stack())),
	}
}

// failed answers by the failure mode. The status is there either way: the API server
// reads it only where the request is refused.
func (h *handler) failed(in Admission, f failure) answer {
	allowed := in.FailureMode != config.Fail || !h.endpoint.refuses
	text := f.text
	if allowed {
		text += "; " + h.endpoint.unreviewed
	}
	a := answer{outcome: f.outcome, err: f.err}
	a.response.Allowed = allowed
	a.response.Result = &metav1.Status{
		Status: metav1.StatusFailure, Code: f.code, Reason: f.reason, Message: "forestall: " + text,
	}
	if allowed {
		a.response.Warnings = []string{explain.Warning(text)}
	}
	return a
}
