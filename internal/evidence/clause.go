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
	switch {
	case s.Kind == finding.Terminated && s.ExitCode != nil:
		return fmt.Sprintf("%s, exit code %d", s.Reason, *s.ExitCode)
	case s.Kind == finding.Restarts:
		return "restarts"
	case s.Kind == finding.Running:
		return "does not end"
	case s.Kind == finding.Endpoints && s.Reason == noPorts:
		return "endpoints without a port"
	case s.Kind == finding.Endpoints:
		return "no ready endpoint"
	case s.Reason == unhealthy:
		if probe, _, ok := strings.Cut(s.Message, " probe "); ok {
			return unhealthy + ", " + strings.ToLower(probe) + " probe fails"
		}
	case s.Reason == "Killing":
		for _, probe := range []string{"liveness", "startup"} {
			if strings.Contains(s.Message, "failed "+probe+" probe") {
				return s.Reason + ", " + probe + " probe failed"
			}
		}
	case s.Reason == "FailedScheduling" || s.Reason == "Unschedulable" || s.Reason == "FailedCreate":
		if k := knownOf(s); k.message != "" {
			return s.Reason + ", " + k.message
		}
	}
	return s.Reason
}
