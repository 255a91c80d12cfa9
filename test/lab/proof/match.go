package proof

import (
	"fmt"
	"strings"

	"github.com/forestall/forestall/test/lab/observe"
)

// subject is what an expectation is held against: one container of one pod, or
// the pod alone where it has none yet.
type subject struct {
	pod       observe.Pod
	container *observe.Container
}

// check is one field of an expectation. It tells whether the field is set,
// whether it holds, and what was seen.
type check struct {
	set   func(Expectation) bool
	holds func(Expectation, subject) (seen string, ok bool)
}

// checks are the fields that speak about pods.
func checks() []check {
	return []check{
		{func(e Expectation) bool { return e.Phase != "" }, phase},
		{func(e Expectation) bool { return e.Reason != "" }, podReason},
		{func(e Expectation) bool { return e.Waiting != nil }, waiting},
		{func(e Expectation) bool { return e.Terminated != nil }, terminated},
		{func(e Expectation) bool { return e.Running != nil }, runs},
		{func(e Expectation) bool { return e.RestartsAtLeast > 0 }, restarts},
		{func(e Expectation) bool { return e.Condition != nil }, condition},
		{func(e Expectation) bool { return e.Event != nil }, event},
	}
}

// says tells whether anything is expected.
func (e Expectation) says() bool {
	return e.Service != nil || e.Job != nil || e.Deployment != nil || e.aboutPods()
}

func (e Expectation) aboutPods() bool {
	for _, c := range checks() {
		if c.set(e) {
			return true
		}
	}
	return false
}

// Match tells whether all that is expected holds, and what was seen, in the
// words of the API.
func (e Expectation) Match(s observe.State) (seen string, ok bool) {
	var parts []string
	for _, part := range []struct {
		set   bool
		match func(observe.State) (string, bool)
	}{{e.aboutPods(), e.matchPods}, {e.Service != nil, e.matchService}, {e.Job != nil, e.matchJob}, {e.Deployment != nil, e.matchDeployment}} {
		if !part.set {
			continue
		}
		seen, ok := part.match(s)
		if !ok {
			return "", false
		}
		parts = append(parts, seen)
	}
	return strings.Join(parts, "; "), len(parts) > 0
}

func (e Expectation) matchPods(s observe.State) (string, bool) {
	for _, candidate := range e.subjects(s) {
		if seen, ok := e.matchOne(candidate); ok {
			return seen, true
		}
	}
	return "", false
}

func (e Expectation) matchOne(s subject) (string, bool) {
	var parts []string
	for _, c := range checks() {
		if !c.set(e) {
			continue
		}
		seen, ok := c.holds(e, s)
		if !ok {
			return "", false
		}
		parts = append(parts, seen)
	}
	return strings.Join(parts, "; "), true
}

// subjects are the containers that an expectation may speak about.
func (e Expectation) subjects(s observe.State) []subject {
	var all []subject
	for _, p := range s.Pods {
		if !e.Pod.selects(p) {
			continue
		}
		if e.Container == "" && len(p.Containers) == 0 {
			all = append(all, subject{pod: p})
		}
		for i := range p.Containers {
			if e.Container == "" || e.Container == p.Containers[i].Name {
				all = append(all, subject{p, &p.Containers[i]})
			}
		}
	}
	return all
}

func (s *PodSelector) selects(p observe.Pod) bool {
	if s == nil {
		return true
	}
	if s.Name != "" && s.Name != p.Name {
		return false
	}
	for key, value := range s.Labels {
		if p.Labels[key] != value {
			return false
		}
	}
	return true
}

func (e Expectation) matchService(s observe.State) (string, bool) {
	for _, service := range s.Services {
		if service.Name == e.Service.Name && as(e.Service.Ready, service.Ready) && as(e.Service.Ports, len(service.Ports)) {
			return fmt.Sprintf("Service %s: %d endpoints ready, %d not ready%s", service.Name, service.Ready, service.NotReady, onPorts(e.Service, service)), true
		}
	}
	return "", false
}

// as tells that a number is the one that is expected, if any is.
func as(want *int, got int) bool { return want == nil || *want == got }

// onPorts names the ports, where the expectation is about them.
func onPorts(want *Service, seen observe.Service) string {
	switch {
	case want.Ports == nil:
		return ""
	case len(seen.Ports) == 0:
		return ", reached on no port"
	}
	return fmt.Sprintf(", reached on %q", seen.Ports)
}

func (e Expectation) matchJob(s observe.State) (string, bool) {
	for _, job := range s.Jobs {
		for _, c := range job.Conditions {
			if job.Name == e.Job.Name && c.Type == e.Job.Condition && c.Status == "True" {
				return fmt.Sprintf("Job %s: %s%s", job.Name, c.Type, words(c.Reason)), true
			}
		}
	}
	return "", false
}

func (e Expectation) matchDeployment(s observe.State) (string, bool) {
	want := e.Deployment.Condition
	for _, d := range s.Deployments {
		if d.Name != e.Deployment.Name {
			continue
		}
		if least := e.Deployment.ReplicaSetsAtLeast; least > 0 && d.ReplicaSets >= least {
			return fmt.Sprintf("Deployment %s: %d ReplicaSets", d.Name, d.ReplicaSets), true
		}
		for _, c := range d.Conditions {
			if c.Type == want.Type && c.Status == want.Status && (want.Reason == "" || c.Reason.Reason == want.Reason) {
				return fmt.Sprintf("Deployment %s: %s=%s%s", d.Name, c.Type, c.Status, words(c.Reason)), true
			}
		}
	}
	return "", false
}
