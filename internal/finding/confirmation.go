package finding

import (
	"errors"
	"fmt"
	"strings"
)

// Confirmation is one thing that a running cluster reports when the prediction of a rule has come true. Exactly one of
// the fields from Terminated to Endpoints is set, with the word that the API has for it; it says what kind of Symptom
// is meant, and all other fields have to fit the same Symptom.
type Confirmation struct {
	// Terminated and Waiting are reasons of a container's state, or of its last one: OOMKilled, CrashLoopBackOff.
	Terminated string `json:"terminated,omitempty"`
	Waiting    string `json:"waiting,omitempty"`
	// Running is who waits for the end of a container that goes on running: Init, the other containers of its
	// pod; Job, the Job.
	Running string `json:"running,omitempty"`
	// Event is the reason of an event about the pod or its workload.
	Event string `json:"event,omitempty"`
	// Condition is the reason of a condition that is not as it should be: Unschedulable, ProgressDeadlineExceeded.
	Condition string `json:"condition,omitempty"`
	// Phase is the phase of a pod that has ended and should not have, or the reason that the pod gives: Evicted.
	Phase string `json:"phase,omitempty"`
	// Endpoints is what a Service lacks: none has no ready endpoint, noPorts has endpoints without a port.
	Endpoints string `json:"endpoints,omitempty"`

	// ExitCode, beside Terminated.
	ExitCode *int32 `json:"exitCode,omitempty"`
	// Message is a part of the message.
	Message string `json:"message,omitempty"`
}

// says is the kind of symptom that is meant, and its reason.
func (c *Confirmation) says() (kind SymptomKind, reason string, set int) {
	for _, one := range [...]struct {
		kind   SymptomKind
		reason string
	}{
		{Terminated, c.Terminated},
		{Waiting, c.Waiting},
		{Running, c.Running},
		{Event, c.Event},
		{Condition, c.Condition},
		{Phase, c.Phase},
		{Endpoints, c.Endpoints},
	} {
		if one.reason != "" {
			kind, reason, set = one.kind, one.reason, set+1
		}
	}
	return kind, reason, set
}

// Check refuses what can fit nothing.
func (c *Confirmation) Check() error {
	switch kind, _, set := c.says(); {
	case set == 0:
		return errors.New("it says nothing: one of terminated, waiting, running, event, condition, phase and endpoints is needed")
	case set > 1:
		return errors.New("it says several things at once: each is an entry of its own")
	case c.ExitCode != nil && kind != Terminated:
		return errors.New("exitCode belongs to terminated")
	}
	return nil
}

// Kind of the symptoms that fit.
func (c *Confirmation) Kind() SymptomKind {
	kind, _, _ := c.says()
	return kind
}

// Fits reports whether the cluster's report is what is meant, whatever container it is about.
func (c *Confirmation) Fits(s *Symptom) bool {
	kind, reason, _ := c.says()
	if s.Kind != kind || s.Reason != reason || !strings.Contains(s.Message, c.Message) {
		return false
	}
	return c.ExitCode == nil || s.ExitCode != nil && *s.ExitCode == *c.ExitCode
}

// String is how people read it: terminated OOMKilled, exit code 137.
func (c *Confirmation) String() string {
	kind, reason, _ := c.says()
	text := string(kind) + " " + reason
	if c.ExitCode != nil {
		text += fmt.Sprintf(", exit code %d", *c.ExitCode)
	}
	if c.Message != "" {
		text += fmt.Sprintf(" (%q)", c.Message)
	}
	return text
}
