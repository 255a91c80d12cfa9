package probe

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/forestall/forestall/internal/facts/fact"
)

// Patience is how long a probe may fail from the container's start on. The kubelet
// asks at the ticks of the period, at the first one after the initial delay
// (k8s.io/kubernetes pkg/kubelet/prober/worker.go, run and doProbe); the ticks do not begin with
// the container, so the last failure that counts falls anywhere within one period.
type Patience struct {
	// AtLeastSeconds is the initial delay and the periods between the failures.
	AtLeastSeconds int64 `json:"atLeastSeconds"`
	// AtMostSeconds is one period more. A probe that fails by its timeout takes that longer.
	AtMostSeconds int64 `json:"atMostSeconds"`
	// Endless says that this is so long that nobody waits for it: the probe is switched off by its numbers.
	Endless bool `json:"endless,omitempty"`
}

// endlessSeconds is how long a probe may fail before it counts as switched off: a day. Thresholds and periods of
// that size (failureThreshold: 2147483647, periodSeconds: 86400) are written to keep the kubelet from acting.
const endlessSeconds = 24 * 60 * 60

func patience(p *corev1.Probe) *Patience {
	delay, period := int64(p.InitialDelaySeconds), int64(p.PeriodSeconds)
	failures := max(int64(p.FailureThreshold), 1)
	atLeast := delay + period*(failures-1)
	return &Patience{AtLeastSeconds: atLeast, AtMostSeconds: atLeast + period, Endless: atLeast+period >= endlessSeconds}
}

// DuringStart is a liveness probe that counts from the container's start on, because no
// startup probe holds it back.
type DuringStart struct {
	// Path is the liveness probe.
	fact.Observation
	// Seconds is how long the probe may fail before the kubelet ends the container, at most.
	Seconds int64 `json:"seconds,omitempty"`
	// Once says whether the first failure is enough.
	Once fact.Observation `json:"once"`
}

func duringStart(f *Facts) DuringStart {
	l := &f.Liveness
	switch {
	case !l.Is(fact.Present):
		return DuringStart{Observation: l.Observation, Once: l.Observation}
	case f.Startup.Is(fact.Unknown):
		unknown := fact.UnknownAt(f.Startup.Path, f.Startup.Reason)
		return DuringStart{Observation: unknown, Once: unknown}
	case f.Startup.Is(fact.Present):
		absent := fact.AbsentAt(l.Path)
		return DuringStart{Observation: absent, Once: absent}
	}
	d := DuringStart{Observation: l.Observation, Seconds: l.Patience.AtMostSeconds, Once: fact.AbsentAt(l.Path)}
	if l.FailureThreshold <= 1 {
		d.Once = l.Observation
	}
	return d
}
