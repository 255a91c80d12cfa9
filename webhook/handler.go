package webhook

import (
	"context"
	"net/http"
	"runtime"
	"time"

	"golang.org/x/sync/semaphore"
	admissionv1 "k8s.io/api/admission/v1"

	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/review"
)

// Webhook answers admission requests. Both of its handlers share one bound on the
// reviews that run at once, and one on the memory of bodies.
type Webhook struct {
	Options
	slots  *slots
	bodies *bodies
	// largeAnswers bounds the bytes of those that wait to be sent.
	largeAnswers *semaphore.Weighted
}

// New returns a Webhook.
func New(o Options) (*Webhook, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	return &Webhook{
		Options: o, slots: newSlots(o.MaxConcurrent), bodies: newBodies(o.MaxBodyMemory, o.MaxConcurrent),
		largeAnswers: semaphore.NewWeighted(maxLargeAnswers),
	}, nil
}

// Live returns an error when only a restart helps: a review has not ended long after its
// deadline.
func (w *Webhook) Live() error { return w.slots.stuck(w.overdue) }

// ValidateHandler answers on ValidatePath: it allows, warns and denies.
func (w *Webhook) ValidateHandler() http.Handler {
	return &handler{Webhook: w, endpoint: validating()}
}

// MutateHandler answers on MutatePath: it allows and patches.
func (w *Webhook) MutateHandler() http.Handler {
	return &handler{Webhook: w, endpoint: mutating()}
}

// handler is an own http.Handler, not controller-runtime's admission.Webhook: that
// one decodes each review twice, ignores the API server's timeout, and answers
// errors without the UID that they belong to.
type handler struct {
	*Webhook
	endpoint endpoint
}

// ServeHTTP answers one admission review.
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	start := time.Now()
	outcome := OutcomeRejected
	h.Recorder.RequestStarted()
	defer func() { h.Recorder.RequestDone(h.endpoint.name, outcome, time.Since(start)) }()

	ctx, cancel := h.withDeadline(r)
	defer cancel()
	// What is read and decided is out of reach when the answer is sent, which may take a slow
	// client as long as it is let.
	var answer *reply
	if answer, outcome = h.reply(ctx, w, r, start); answer != nil {
		h.send(w, answer)
	}
}

// answerTo answers a request that was read, and gives its memory back before it returns.
func (h *handler) answerTo(ctx context.Context, in Admission, req request) answer {
	if req.err != nil {
		req.release()
		return h.failed(in, malformed(req.err))
	}
	if !asked(req.Operation) {
		req.release()
		return validated(review.Decision{Skipped: "the operation changes no pod template"})
	}
	taken, err := h.admit(ctx, req)
	if err != nil {
		req.release()
		return h.failed(in, overloaded(err))
	}
	return h.review(ctx, in, req, taken)
}

// admit waits until the request may be reviewed. The namespace is the API server's word, where
// nobody else can post.
func (h *handler) admit(ctx context.Context, req request) (*slot, error) {
	if err := req.body.count(req.Namespace); err != nil {
		return nil, err
	}
	taken, err := h.slots.take(ctx, req.Namespace, h.endpoint.repairs)
	if err != nil {
		return nil, err
	}
	if err := req.body.awaitReview(ctx); err != nil {
		h.slots.give(taken)
		return nil, err
	}
	return taken, nil
}

// review reviews the object of a request. At the deadline it answers by the failure mode,
// whatever the review is doing; slot and memory stay taken until the review has really
// ended, so that stuck ones cannot pile up.
func (h *handler) review(ctx context.Context, in Admission, req request, taken *slot) answer {
	done := make(chan answer, 1)
	go func() {
		defer h.slots.give(taken)
		// A goroutine that was just started runs before all that wait, in what is left of its
		// starter's time. Without this, on one busy processor, some connections are served
		// again and again, and the others not for seconds.
		runtime.Gosched()
		a := h.decide(ctx, in, req.subject())
		req.release()
		done <- a
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
func (h *handler) decide(ctx context.Context, in Admission, s review.Subject) (a answer) {
	defer func() {
		if p := recover(); p != nil {
			h.Recorder.Panic()
			a = h.failed(in, panicked(p))
		}
	}()
	a, err := h.endpoint.decide(ctx, in, s)
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
func (h *handler) record(req request, a answer) {
	if h.endpoint.audited && a.sender != "" && req.Operation == admissionv1.Create {
		h.Recorder.Owned(a.object.Kind, a.sender)
	}
	for _, f := range a.findings {
		h.Recorder.Finding(Counted{Rule: f.Rule, Level: f.Level, Kind: a.object.Kind, Owned: a.owner != nil})
	}
	for i := range a.ignored {
		f := &a.ignored[i]
		h.Recorder.Ignored(Counted{Rule: f.Rule, Level: f.Level, Kind: a.object.Kind, Owned: a.owner != nil})
	}
	for _, e := range a.ruleErrors {
		h.Recorder.RuleError(e.Rule)
	}
	if a.unfinished {
		h.Recorder.Unfinished(h.endpoint.name)
	}
}

// tellOwner passes on what a controller was told: nobody reads its warnings.
func (h *handler) tellOwner(req request, a answer) {
	if h.Owners == nil || a.owner == nil || !h.endpoint.audited || req.Operation != admissionv1.Create || req.dryRun() {
		return
	}
	var told []finding.Finding
	for _, f := range a.findings {
		if f.Level.AtLeast(finding.Warn) {
			told = append(told, f)
		}
	}
	if len(told) > 0 {
		h.Owners.Tell(*a.owner, a.object, told)
	}
}
