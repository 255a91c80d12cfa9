package webhook

import "time"

// verbose is the verbosity that slog shows as DEBUG.
const verbose = 4

// log writes one line for each denial, patch, withheld repair and failure, and for the rest at
// debug level. It names objects and rules; what stands in an object is never logged.
func (h *handler) log(req request, a answer, took time.Duration) {
	for _, e := range a.ruleErrors {
		h.Log.Error(e.Err, "A rule failed", "rule", e.Rule, "uid", req.UID, "path", h.endpoint.name)
	}
	for _, e := range a.withheld {
		h.Log.Info("A repair was withheld", "rule", e.Rule, "why", e.Err.Error(), "uid", req.UID, "path", h.endpoint.name)
	}
	log := h.Log
	if routine(a.outcome) {
		log = log.V(verbose)
	}
	if !log.Enabled() && a.err == nil { // most requests: do not even collect the values
		return
	}
	values := []any{
		"uid", req.UID, "path", h.endpoint.name, "outcome", a.outcome, "operation", req.Operation,
		"kind", req.Kind.Kind, "namespace", req.Namespace, "name", displayName(req, a),
		"rules", a.rules(), "duration", took.String(),
	}
	if a.skipped != "" {
		values = append(values, "why", a.skipped)
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
	log.Info("Refused before it was read", "path", h.endpoint.name, "outcome", r.outcome(), "code", r.code, "namespace", r.namespace, "why", r.Error())
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
