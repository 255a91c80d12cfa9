package webhook

// Outcome is how a request ended: a label of metrics and an annotation in the audit
// log.
type Outcome string

// The outcomes of a review.
const (
	OutcomeAllow Outcome = "allow" // nothing to say, or only to audits
	OutcomeWarn  Outcome = "warn"  // allowed with warnings
	OutcomeDeny  Outcome = "deny"
	// OutcomeRefuseUnfinished is for what is too large to be judged whole, where the configuration
	// refuses it and no finding denies it.
	OutcomeRefuseUnfinished Outcome = "refuse-unfinished"
	OutcomePatch            Outcome = "patch"
	OutcomeSkip             Outcome = "skip" // not an object or a change that rules judge
)

// The outcomes without a review: the failure mode answers.
const (
	OutcomeTimeout   Outcome = "timeout"   // no verdict at the deadline
	OutcomeOverload  Outcome = "overload"  // no slot before the deadline, for whatever namespace
	OutcomeError     Outcome = "error"     // the object could not be read
	OutcomeMalformed Outcome = "malformed" // the review around the object could not be read
	OutcomePanic     Outcome = "panic"
	// OutcomeNamespaceOverload is for a request that its own namespace kept waiting until its
	// deadline, or whose namespace waits with too much already. Those of others are reviewed. Of a
	// large object it is HTTP 503, as below.
	OutcomeNamespaceOverload Outcome = "namespace-overload"
)

// The outcomes without an admission request to answer to: an HTTP error.
const (
	// OutcomeBodyOverload is HTTP 503 for a body that did not fit into memory.
	OutcomeBodyOverload Outcome = "body-overload"
	// OutcomeRejected is for what is no admission request.
	OutcomeRejected Outcome = "rejected"
)
