package evidence

import (
	"fmt"
	"strings"

	"github.com/forestall/forestall/internal/finding"
)

// Clause is evidence in one clause, for a line of a report: OOMKilled, exit code 137, 7 restarts, in 3 of 12 pods. The
// symptoms are those of one cause, as Match returns them.
func Clause(symptoms []finding.Symptom, pods int) string {
	if len(symptoms) == 0 {
		return ""
	}
	first := &symptoms[0]
	parts := []string{clause(first)}
	if first.Kind == finding.Event && first.Count > 1 {
		parts[0] += fmt.Sprintf(" x%d", first.Count)
	}
	restarts, in := 0, 0
	for _, s := range symptoms {
		if s.Kind == finding.Restarts {
			restarts = max(restarts, s.Count)
		}
		in = max(in, s.Pods)
	}
	if restarts > 0 {
		parts = append(parts, counted(restarts, "restart"))
	}
	if in > 0 && pods > 1 {
		parts = append(parts, fmt.Sprintf("in %d of %d pods", min(in, pods), pods))
	}
	if first.Over && first.Kind == finding.Terminated {
		parts = append(parts, "runs again")
	}
	return strings.Join(parts, ", ")
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// clause is a symptom in the words of the API: OOMKilled, exit code 137.
func clause(s *finding.Symptom) string {
	switch s.Kind {
	case finding.Terminated:
		if s.ExitCode != nil {
			return fmt.Sprintf("%s, exit code %d", s.Reason, *s.ExitCode)
		}
	case finding.Restarts:
		return "restarts"
	case finding.Running:
		return "does not end"
	case finding.Endpoints:
		if s.Reason == noPorts {
			return "endpoints without a port"
		}
		return "no ready endpoint"
	case finding.Event, finding.Condition:
		if why := particular(s); why != "" {
			return s.Reason + ", " + why
		}
	case finding.Waiting, finding.Phase, finding.OnNode:
	}
	return s.Reason
}

// particular is what tells an event from others of its reason: the probe that fails, what the scheduler lacks.
func particular(s *finding.Symptom) string {
	switch s.Reason {
	case unhealthy:
		if probe, _, ok := strings.Cut(s.Message, " probe "); ok {
			return strings.ToLower(probe) + " probe fails"
		}
	case "Killing":
		for _, probe := range []string{"liveness probe", "startup probe"} {
			if strings.Contains(s.Message, "failed "+probe) {
				return probe + " failed"
			}
		}
	case "FailedScheduling", "Unschedulable", "FailedCreate":
		var all []string // a pod may lack CPU and memory
		for _, k := range rows(s.Kind) {
			if k.reason == s.Reason && k.message != "" && strings.Contains(s.Message, k.message) {
				all = append(all, k.message)
			}
		}
		return strings.Join(all[:min(len(all), 2)], ", ")
	}
	return ""
}
