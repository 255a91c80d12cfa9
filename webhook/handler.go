package webhook

import (
	"context"
	"net/http"
	"runtime"
	"time"

	admissionv1 "k8s.io/api/admission/v1"

	"github.com/forestall/forestall/internal/policy"
	"github.com/forestall/forestall/internal/review"
)

// Webhook answers admission requests. Both of its handlers share one bound on the
// reviews that run at once.
type Webhook struct {
	Options
	slots  slots
	bodies bodies
}

// New returns a Webhook.
func New(o Options) (*Webhook, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	return &Webhook{Options: o, slots: make(slots, o.MaxConcurrent)}, nil
}

// ValidateHandler answers on ValidatePath: it allows, warns and denies.
func (w *Webhook) ValidateHandler() http.Handler {
	return &handler{Webhook: w, path: validating()}
}

// MutateHandler answers on MutatePath: it allows and patches.
func (w *Webhook) MutateHandler() http.Handler {
	return &handler{Webhook: w, path: mutating()}
}

// handler is an own http.Handler, not controller-runtime's admission.Webhook: that
// one decodes each review twice, ignores the API server's timeout, and answers
// errors without the UID that they belong to.
type handler struct {
	*Webhook
	path path
}

// ServeHTTP answers one admission review.
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	start := time.Now()
	outcome := OutcomeRejected
	h.Recorder.RequestStarted()
	defer func() { h.Recorder.RequestDone(h.path.name, outcome, time.Since(start)) }()

	ctx, cancel := h.withDeadline(r)
	defer cancel()
	req, refused := h.read(ctx, w, r)
	if refused != nil {
		h.Log.V(verbose).Info("Refused what is no admission request", "path", h.path.name, "code", refused.code, "why", refused.Error())
		refused.write(w)
		return
	}
	a := h.answerTo(ctx, h.InForce(), req)
	if h.path.audited || a.outcome == OutcomePatch {
		a.annotate()
	}
	outcome = a.outcome
	h.write(w, req, a)
	h.record(a)
	h.tellOwner(req, a)
	h.log(req, a, time.Since(start))
}

// answerTo reviews the object of a request that was read. At the deadline it
// answers by the failure mode, whatever the review is doing; the slot stays taken
// until the review has really ended, so that stuck ones cannot pile up.
func (h *handler) answerTo(ctx context.Context, in InForce, req request) answer {
	if req.err != nil {
		return h.failed(in, malformed(req.err))
	}
	if !asked(req.Operation) {
		return validated(review.Decision{Skipped: "the operation changes no pod template"})
	}
	if !h.slots.take(ctx) {
		return h.failed(in, overloaded())
	}
	done := make(chan answer, 1)
	go func() {
		defer h.slots.give()
		// A goroutine that was just started runs before all that wait, in what is left of its
		// starter's time. Without this, on one busy processor, some connections are served
		// again and again, and the others not for seconds.
		runtime.Gosched()
		done <- h.decide(ctx, in, req.subject())
	}()
	select {
	case <-ctx.Done():
	case a := <-done:
		if ctx.Err() == nil { // past the deadline an answer may lack rules
			return a
		}
	}
	return h.failed(in, timedOut())
}

// decide asks the Reviewer. This is the one place that recovers from a panic.
func (h *handler) decide(ctx context.Context, in InForce, s review.Subject) (a answer) {
	defer func() {
		if p := recover(); p != nil {
			h.Recorder.Panic()
			a = h.failed(in, panicked(p))
		}
	}()
	a, err := h.path.decide(ctx, in.Reviewer, s)
	if err != nil {
		return h.failed(in, unreadable(err))
	}
	return a
}

// asked reports whether an operation can bring or change a pod template.
func asked(o admissionv1.Operation) bool {
	return o == admissionv1.Create || o == admissionv1.Update
}

// record counts what the answer acts on.
func (h *handler) record(a answer) {
	for _, f := range a.findings {
		h.Recorder.Finding(Counted{Rule: f.Rule, Level: f.Level, Kind: a.object.Kind, Owned: a.owner != nil})
	}
	for _, e := range a.ruleErrors {
		h.Recorder.RuleError(e.Rule)
	}
	if a.unfinished {
		h.Recorder.Unfinished(h.path.name)
	}
}

// tellOwner passes on what a controller was told: nobody reads its warnings.
func (h *handler) tellOwner(req request, a answer) {
	if h.Owners == nil || a.owner == nil || !h.path.audited || req.Operation != admissionv1.Create || req.subject().DryRun {
		return
	}
	var told []review.Finding
	for _, f := range a.findings {
		if f.Level.AtLeast(policy.Warn) {
			told = append(told, f)
		}
	}
	if len(told) > 0 {
		h.Owners.Tell(*a.owner, a.object, told)
	}
}
