package evidence

import (
	"slices"
	"strings"

	"github.com/forestall/forestall/internal/finding"
)

// Rules says by which reports of a cluster the predictions of a rule are confirmed.
type Rules func(id string) []finding.Confirmation

// Match says of each finding of an object whether the cluster reports already what it predicts, gives it the symptoms that
// it explains, and returns a trouble for each failure that is left. One cause is one trouble.
func (by Rules) Match(of finding.Object, findings []*finding.Finding, symptoms []finding.Symptom) []finding.Trouble {
	m := matching{symptoms: symptoms, taken: make([]bool, len(symptoms))}
	for _, f := range findings {
		f.Status = finding.Predicted
		hits := m.hits(f, by)
		if len(hits) == 0 {
			continue
		}
		f.Status = finding.Happening
		f.Evidence = m.explainedBy(hits)
	}
	return m.troubles(of)
}

// Confirmed lists the rules that told a finding and of which the evidence shows what they predict: those that were merged
// into it have predicted it, too.
func (by Rules) Confirmed(f *finding.Finding, symptoms []finding.Symptom) []string {
	m := matching{symptoms: symptoms}
	var rules []string
	for _, id := range Predicting(f) {
		if len(m.hitsOf(f, by(id))) > 0 {
			rules = append(rules, id)
		}
	}
	return rules
}

// Predicting lists the rules behind a finding: its own, and those of the findings that are told by it.
func Predicting(f *finding.Finding) []string {
	rules := []string{f.Rule}
	for _, m := range f.Merged {
		if !slices.Contains(rules, m.Rule) {
			rules = append(rules, m.Rule)
		}
	}
	return rules
}

// matching is one object: what the cluster reports, and what of it has been explained.
type matching struct {
	symptoms []finding.Symptom
	taken    []bool
}

// hits are the symptoms that confirm a finding, or one that is told by it.
func (m *matching) hits(f *finding.Finding, by Rules) []int {
	var all []int
	for _, id := range Predicting(f) {
		for _, i := range m.hitsOf(f, by(id)) {
			if !slices.Contains(all, i) {
				all = append(all, i)
			}
		}
	}
	slices.Sort(all)
	return all
}

func (m *matching) hitsOf(f *finding.Finding, confirmations []finding.Confirmation) []int {
	var all []int
	for i := range m.symptoms {
		s := &m.symptoms[i]
		if s.Container != "" && f.Container != "" && s.Container != f.Container || !fitsPlace(f, s) {
			continue
		}
		if slices.ContainsFunc(confirmations, func(c finding.Confirmation) bool {
			return c.Fits(s) && (c.Event != unhealthy || c.Message != "" || len(probes(f)) > 0)
		}) && !m.explainedOtherwise(s) {
			all = append(all, i)
		}
	}
	return all
}

// explainedOtherwise reports whether a symptom that only follows from others has a cause that the cluster names: a
// roll-out that is late because of its image confirms nothing about probes.
func (m *matching) explainedOtherwise(s *finding.Symptom) bool {
	if s.Kind != finding.Condition && s.Kind != finding.Waiting || knownOf(s).weight == cause {
		return false
	}
	return slices.ContainsFunc(m.symptoms, func(other finding.Symptom) bool {
		if other.Over || s.Container != "" && other.Container != "" && other.Container != s.Container {
			return false
		}
		k := knownOf(&other)
		return k.weight == cause && k.family != knownOf(s).family || other.Kind == finding.Terminated && s.Reason == "ContainersNotReady"
	})
}

// unhealthy is the event of a probe that fails; its message begins with the name of the probe.
const unhealthy = "Unhealthy"

// fitsPlace reports whether a finding of its place can be confirmed by such a symptom. A finding about a probe is confirmed
// by what is said of that probe, and one about a postStart hook by what is said of the hook, but by no end of
// the container, which has other causes as well.
func fitsPlace(f *finding.Finding, s *finding.Symptom) bool {
	of := probes(f)
	if len(of) > 0 {
		switch s.Kind {
		case finding.Terminated, finding.Waiting, finding.Restarts:
			return false
		case finding.Event:
			named := func(probe string) bool { return strings.Contains(strings.ToLower(s.Message), strings.ToLower(probe)) }
			return (s.Reason == unhealthy || s.Reason == "Killing") && slices.ContainsFunc(of, named)
		}
		return true
	}
	if strings.Contains(f.Field, ".postStart.") {
		return s.Kind != finding.Terminated
	}
	return true
}

// probes lists the probes that a finding is about, as events name them.
func probes(f *finding.Finding) []string {
	var all []string
	for field, name := range map[string]string{
		".livenessProbe": "Liveness probe", ".readinessProbe": "Readiness probe", ".startupProbe": "Startup probe",
	} {
		merged := func(i finding.Identity) bool { return strings.Contains(i.Field, field) }
		if strings.Contains(f.Field, field) || slices.ContainsFunc(f.Merged, merged) {
			all = append(all, name)
		}
	}
	return all
}

// explainedBy takes the symptoms that confirm a finding, and behind them those that follow.
func (m *matching) explainedBy(hits []int) []finding.Symptom {
	evidence := make([]finding.Symptom, 0, len(hits))
	for _, i := range hits {
		evidence = append(evidence, m.symptoms[i])
		m.taken[i] = true
	}
	for i := range m.symptoms {
		if s := &m.symptoms[i]; !slices.Contains(hits, i) && m.follows(s, hits) {
			evidence = append(evidence, *s)
			m.taken[i] = true
		}
	}
	return evidence
}

// follows reports whether a symptom follows from those that confirm a finding.
func (m *matching) follows(s *finding.Symptom, hits []int) bool {
	k := knownOf(s)
	for _, i := range hits {
		h := &m.symptoms[i]
		if s.Container != "" && h.Container != "" && s.Container != h.Container {
			continue
		}
		if hit := knownOf(h); hit.family == k.family || k.weight <= follow || killsFor(h) && endedByProbe(s) {
			return true
		}
		if s.Kind == finding.Terminated && h.Kind == finding.Event && (h.Reason == "FailedPostStartHook" || h.Reason == "Killing") {
			return true
		}
	}
	return false
}

// killsFor reports whether the kubelet ends containers for a symptom: probes of liveness and of the start.
func killsFor(s *finding.Symptom) bool {
	return s.Reason == "Killing" || s.Reason == unhealthy && (strings.HasPrefix(s.Message, "Liveness") || strings.HasPrefix(s.Message, "Startup"))
}

// endedByProbe reports whether a symptom is what a kill for a probe leaves behind. The program may end in any way when
// it is asked to stop.
func endedByProbe(s *finding.Symptom) bool {
	return s.Kind == finding.Terminated && s.Reason != "OOMKilled" && knownOf(s).weight < cause || s.Kind == finding.Event && killsFor(s)
}
