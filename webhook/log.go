package webhook

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"time"
	"unicode"

	"github.com/forestall/forestall/internal/policy"
	"github.com/forestall/forestall/internal/workload"
)

// verbose is the verbosity that slog shows as DEBUG.
const verbose = 4

// The most bytes of what a request says that a line of the log holds. The names of the API are no
// longer (k8s.io/apimachinery pkg/util/validation); what is longer is cut, since the API server
// checks names only after it has asked. With them a line takes less than 8 KiB.
const (
	maxLoggedName = 253
	maxLoggedKind = 63
	maxLoggedWhy  = 512
	maxLoggedUID  = 128
)

// maxLoggedErrors bounds the lines about the rules or repairs of one request.
const maxLoggedErrors = 8

// log writes one line for each denial, also for one that is ignored, for each patch, withheld repair and
// failure, and for the rest at debug level. It names objects and rules; what stands in an object is never logged.
func (h *handler) log(req request, a answer, took time.Duration) {
	uid := brief(string(req.UID), maxLoggedUID)
	for i, e := range a.ruleErrors {
		if i == maxLoggedErrors {
			h.Log.Info("Other rules failed", "count", len(a.ruleErrors)-i, "uid", uid, "path", h.endpoint.name)
			break
		}
		h.Log.Error(errors.New(brief(e.Unquoted(), maxLoggedWhy)), "A rule failed", "rule", e.Rule, "uid", uid, "path", h.endpoint.name)
	}
	for i, e := range a.withheld {
		if i == maxLoggedErrors {
			h.Log.Info("Other repairs were withheld", "count", len(a.withheld)-i, "uid", uid, "path", h.endpoint.name)
			break
		}
		h.Log.Info("A repair was withheld", "rule", e.Rule, "why", whyWithheld(e.Err), "uid", uid, "path", h.endpoint.name)
	}
	log := h.Log
	if routine(a.outcome) && !a.ignoresDenial() {
		log = log.V(verbose)
	}
	if !log.Enabled() && a.err == nil { // most requests: do not even collect the values
		return
	}
	values := []any{
		"uid", uid, "path", h.endpoint.name, "outcome", a.outcome, "operation", brief(string(req.Operation), maxLoggedKind),
		"kind", brief(req.Kind.Kind, maxLoggedKind), "namespace", brief(req.Namespace, maxLoggedName),
		"name", brief(displayName(req, a), maxLoggedName), "rules", a.rules(), "duration", took.String(),
	}
	if len(a.ignored) > 0 {
		values = append(values, "ignored", a.ignoredRules())
	}
	if a.skipped != "" {
		values = append(values, "why", brief(a.skipped, maxLoggedWhy))
	}
	if a.err != nil {
		log.Error(a.err, "Reviewed", values...)
		return
	}
	log.Info("Reviewed", values...)
}

// logRefusal writes a line for what was not read. Where a namespace sends too much the line names
// it, since no metric does.
func (h *handler) logRefusal(r *refusal) {
	log := h.Log.V(verbose)
	if r.outcome() == OutcomeNamespaceOverload {
		log = h.Log
	}
	log.Info("Refused before it was read", "path", h.endpoint.name, "outcome", r.outcome(), "code", r.code, "namespace", brief(r.namespace, maxLoggedName), "why", brief(r.Error(), maxLoggedWhy))
}

// whyWithheld says why a repair was withheld: by places and numbers, but for the errors of rules and
// decoders, which quote.
func whyWithheld(err error) string {
	var rule policy.RuleError
	var field *workload.FieldError
	text := err.Error()
	switch {
	case errors.As(err, &rule):
		text = "the repair is withheld: rule " + rule.Rule + ": " + rule.Unquoted()
	case errors.As(err, &field):
		text = "the repair is withheld: " + workload.Unquoted(err)
	}
	return brief(text, maxLoggedWhy)
}

// maxStack is how many bytes of the stack of a panic are logged: those of the place where it began.
const maxStack = 4 << 10

// panicText says what a panic was about. Its value may hold what stands in an object, unless it comes
// from Go itself.
func panicText(value any, stack []byte) string {
	what := fmt.Sprintf("panic: a %T", value)
	if err, ok := value.(runtime.Error); ok {
		what = "panic: " + brief(err.Error(), maxLoggedWhy)
	}
	return what + "\n" + string(stack[:min(len(stack), maxStack)])
}

// brief returns text as it may stand in a log or an error: of bounded length, and without what a
// terminal would act on.
func brief(text string, most int) string {
	const end = "…"
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most-len(end)], "") + end
	}
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, text)
}

// routine reports whether an outcome is nothing to speak of.
func routine(o Outcome) bool {
	return o == OutcomeAllow || o == OutcomeWarn || o == OutcomeSkip
}

// displayName prefers the name that the review found: a request to create an
// object with a generated name has none.
func displayName(req request, a answer) string {
	if a.object.Name != "" {
		return a.object.Name
	}
	return req.Name
}
