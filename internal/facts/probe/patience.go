package probe

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/forestall/forestall/internal/facts/fact"
)

// HastySeconds bounds the patience that is observed as hasty. It is half of what the
// API's defaults give (a period of 10 seconds, three times).
const HastySeconds = 15

// Patience is how long a probe may fail from the container's start on. The kubelet
// asks at the ticks of the period, at the first one after the initial delay
// (k8s.io/kubernetes pkg/kubelet/prober/worker.go, run and doProbe); the ticks do not begin with
// the container, so the last failure that counts falls anywhere within one period.
type Patience struct {
	// AtLeastSeconds is the initial delay and the periods between the failures.
	AtLeastSeconds int64 `json:"atLeastSeconds"`
	// AtMostSeconds is one period more. A probe that fails by its timeout takes that longer.
	AtMostSeconds int64 `json:"atMostSeconds"`
}

func patience(p *corev1.Probe) *Patience {
	delay, period := int64(p.InitialDelaySeconds), int64(p.PeriodSeconds)
	failures := max(int64(p.FailureThreshold), 1)
	return &Patience{AtLeastSeconds: delay + period*(failures-1), AtMostSeconds: delay + period*failures}
}

func hasty(f *Facts) fact.Observation {
	l := &f.Liveness
	switch {
	case !l.Is(fact.Present):
		return l.Observation
	case f.Startup.Is(fact.Unknown):
		return fact.UnknownAt(f.Startup.Path, f.Startup.Reason)
	case f.Startup.Is(fact.Absent) && (l.Patience.AtMostSeconds <= HastySeconds || l.FailureThreshold <= 1):
		return fact.PresentAt(l.Path)
	}
	return fact.AbsentAt(l.Path)
}
