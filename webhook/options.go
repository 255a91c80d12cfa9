package webhook

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/go-logr/logr"

	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/review"
)

// Reviewer is what the webhook needs of a review.Reviewer. Its methods are called
// concurrently.
type Reviewer interface {
	Review(ctx context.Context, s review.Subject) (review.Decision, error)
	Repair(ctx context.Context, s review.Subject, d review.Decision) (review.Repaired, error)
}

// Owners tells people who look at an owner about findings in an object that it has
// created. Tell is called concurrently and must not wait for anything.
type Owners interface {
	Tell(owner review.Owner, object finding.Object, findings []finding.Finding)
}

// FailureMode says what happens to a request that forestall cannot review.
type FailureMode string

// The failure modes. They are forestall's own, for failures inside the process;
// what happens when the process does not answer at all is the failurePolicy of the
// webhook configuration.
const (
	// Ignore admits the request with a warning that names forestall.
	Ignore FailureMode = "ignore"
	// Fail refuses the request. Only /validate refuses: it is asked about every
	// object that /mutate is asked about, and later.
	Fail FailureMode = "fail"
)

// FailureModes lists the failure modes, the default first.
func FailureModes() []FailureMode { return []FailureMode{Ignore, Fail} }

// Always returns what is in force where nothing ever changes.
func Always(in InForce) func() InForce { return func() InForce { return in } }

// ParseFailureMode reads a failure mode as people write it.
func ParseFailureMode(s string) (FailureMode, error) {
	if m := FailureMode(s); slices.Contains(FailureModes(), m) {
		return m, nil
	}
	return Ignore, fmt.Errorf("unknown failure mode %q: it is ignore or fail", s)
}

// DefaultTimeout is the longest time for an answer when Options has none: 80 % of
// the 5 seconds that the webhook configurations ask the API server to wait.
const DefaultTimeout = 4 * time.Second

// InForce is what one request is answered by.
type InForce struct {
	// Reviewer decides about objects.
	Reviewer Reviewer
	// FailureMode is the answer to what cannot be reviewed; empty for Ignore.
	FailureMode FailureMode
}

// Options configure a Webhook. Only InForce is required.
type Options struct {
	// InForce returns what is in force now. It is called once for each request, so
	// that a request is answered by one configuration, and concurrently.
	InForce func() InForce
	// Recorder keeps the metrics; nil keeps none.
	Recorder Recorder
	// Owners are told of findings in what controllers create; nil for nobody.
	Owners Owners
	// Log takes one line for each denial and patch, and what goes wrong. The zero
	// value logs nothing.
	Log logr.Logger
	// Timeout is the longest time for an answer; 0 for DefaultTimeout. The API
	// server may give less.
	Timeout time.Duration
	// MaxConcurrent bounds the reviews that run at once; 0 for four for each
	// processor that Go uses. Requests beyond it wait, but not past their deadline.
	MaxConcurrent int
}

func (o Options) withDefaults() (Options, error) {
	if o.InForce == nil {
		return o, errors.New("a Webhook needs what is in force: a Reviewer")
	}
	if o.Timeout < 0 || o.MaxConcurrent < 0 {
		return o, fmt.Errorf("the timeout %s and the number of reviews at once %d must not be negative", o.Timeout, o.MaxConcurrent)
	}
	if o.Recorder == nil {
		o.Recorder = discard{}
	}
	o.Timeout = cmp.Or(o.Timeout, DefaultTimeout)
	o.MaxConcurrent = cmp.Or(o.MaxConcurrent, 4*runtime.GOMAXPROCS(0))
	return o, nil
}
