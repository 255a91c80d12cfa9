package proof

import (
	"fmt"
	"strings"

	"github.com/forestall/forestall/test/lab/observe"
)

func phase(e Expectation, s subject) (string, bool) {
	return "phase " + s.pod.Phase, s.pod.Phase == e.Phase
}

func podReason(e Expectation, s subject) (string, bool) {
	return strings.TrimPrefix(words(observe.Reason{Reason: s.pod.Reason, Message: s.pod.Message}), ", "), s.pod.Reason == e.Reason
}

func waiting(e Expectation, s subject) (string, bool) {
	if s.container == nil || s.container.Waiting == nil || !e.Waiting.fits(*s.container.Waiting) {
		return "", false
	}
	return "waiting" + words(*s.container.Waiting), true
}

func terminated(e Expectation, s subject) (string, bool) {
	if s.container == nil {
		return "", false
	}
	for _, end := range s.container.Ended {
		if e.Terminated.Reason != "" && e.Terminated.Reason != end.Reason.Reason {
			continue
		}
		if e.Terminated.ExitCode != nil && *e.Terminated.ExitCode != end.ExitCode {
			continue
		}
		return fmt.Sprintf("terminated%s, exit code %d", words(end.Reason), end.ExitCode), true
	}
	return "", false
}

func runs(e Expectation, s subject) (string, bool) {
	if s.container == nil || s.container.Running != *e.Running {
		return "", false
	}
	return map[bool]string{true: "running", false: "not running"}[s.container.Running], true
}

func restarts(e Expectation, s subject) (string, bool) {
	if s.container == nil || s.container.Restarts < e.RestartsAtLeast {
		return "", false
	}
	return fmt.Sprintf("restart count %d", s.container.Restarts), true
}

func condition(e Expectation, s subject) (string, bool) {
	for _, c := range s.pod.Conditions {
		if c.Type == e.Condition.Type && c.Status == e.Condition.Status &&
			(e.Condition.Reason == "" || e.Condition.Reason == c.Reason.Reason) {
			return fmt.Sprintf("condition %s=%s%s", c.Type, c.Status, words(c.Reason)), true
		}
	}
	return "", false
}

func event(e Expectation, s subject) (string, bool) {
	for _, seen := range s.pod.Events {
		if e.Event.fits(seen.Reason) {
			return "event" + words(seen.Reason), true
		}
	}
	return "", false
}

func (r *Reason) fits(seen observe.Reason) bool {
	return r.Reason == seen.Reason && strings.Contains(seen.Message, r.Message)
}

// words puts a reason and its message after what they belong to, verbatim.
func words(r observe.Reason) string {
	switch {
	case r.Reason == "":
		return ""
	case r.Message == "":
		return ", " + r.Reason
	}
	return fmt.Sprintf(", %s: %s", r.Reason, r.Message)
}
