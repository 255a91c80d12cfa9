package webhook

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/go-logr/logr"

	"github.com/forestall/forestall/internal/config"
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

// DefaultTimeout is the longest time for an answer when Options has none: 80 % of
// the 5 seconds that the webhook configurations ask the API server to wait.
const DefaultTimeout = 4 * time.Second

// Admission decides whether one request is admitted: by the verdict of a Reviewer, or by
// the failure mode where there is no verdict.
type Admission struct {
	// Reviewer decides about objects.
	Reviewer Reviewer
	// FailureMode is the answer to what cannot be reviewed; empty for config.Ignore. Only
	// /validate refuses: it is asked about every object that /mutate is asked about, and later.
	FailureMode config.FailureMode
}

// Always returns the same Admission for every request.
func Always(a Admission) func() Admission { return func() Admission { return a } }

// Options configure a Webhook. Only Admission is required.
type Options struct {
	// Admission returns the Admission in force. It is called once for each request, so that
	// one configuration answers it, and concurrently.
	Admission func() Admission
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
	// Those of /mutate take at most half of them, and those of one namespace leave a quarter.
	MaxConcurrent int
	// MaxBodyMemory bounds the bytes of all bodies that are in memory at once; 0 for
	// DefaultMaxBodyMemory. A request whose body does not fit is refused with HTTP 503.
	MaxBodyMemory int64

	// overdue is how long a review may go on after its deadline before only a restart helps;
	// 0 for defaultOverdue.
	overdue time.Duration
}

func (o Options) withDefaults() (Options, error) {
	if o.Admission == nil {
		return o, errors.New("a Webhook needs an Admission")
	}
	if o.Timeout < 0 || o.MaxConcurrent < 0 {
		return o, fmt.Errorf("the timeout %s and the number of reviews at once %d must not be negative", o.Timeout, o.MaxConcurrent)
	}
	if o.MaxBodyMemory != 0 && o.MaxBodyMemory < MinMaxBodyMemory {
		return o, fmt.Errorf("the memory for bodies is %d bytes: it must be at least %d, so that the largest body fits", o.MaxBodyMemory, int64(MinMaxBodyMemory))
	}
	if o.Recorder == nil {
		o.Recorder = discard{}
	}
	o.Timeout = cmp.Or(o.Timeout, DefaultTimeout)
	o.MaxConcurrent = cmp.Or(o.MaxConcurrent, 4*runtime.GOMAXPROCS(0))
	o.overdue = cmp.Or(o.overdue, defaultOverdue)
	o.MaxBodyMemory = cmp.Or(o.MaxBodyMemory, DefaultMaxBodyMemory)
	return o, nil
}
