package finding_test

import (
	"testing"

	"github.com/forestall/forestall/internal/finding"
)

func TestConfirmation(t *testing.T) {
	killed := finding.Symptom{Kind: finding.Terminated, Container: "web", Reason: "OOMKilled", ExitCode: new(int32(137))}
	for _, tt := range []struct {
		name, text string
		c          finding.Confirmation
		fits       bool
	}{
		{"the reason", "terminated OOMKilled", finding.Confirmation{Terminated: "OOMKilled"}, true},
		{"and the exit code", "terminated OOMKilled, exit code 137", finding.Confirmation{Terminated: "OOMKilled", ExitCode: new(int32(137))}, true},
		{"another exit code", "terminated OOMKilled, exit code 1", finding.Confirmation{Terminated: "OOMKilled", ExitCode: new(int32(1))}, false},
		{"another reason", "terminated Error", finding.Confirmation{Terminated: "Error"}, false},
		{"another kind", "event OOMKilled", finding.Confirmation{Event: "OOMKilled"}, false},
		{"a message that is not there", `terminated OOMKilled ("x")`, finding.Confirmation{Terminated: "OOMKilled", Message: "x"}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if err := tt.c.Check(); err != nil {
				t.Error(err)
			}
			if got := tt.c.Fits(&killed); got != tt.fits {
				t.Errorf("fits: %v, want %v", got, tt.fits)
			}
			if got := tt.c.String(); got != tt.text {
				t.Errorf("got %s, want %s", got, tt.text)
			}
		})
	}
}

func TestConfirmationRefuses(t *testing.T) {
	for _, tt := range []struct {
		c    finding.Confirmation
		want string
	}{
		{finding.Confirmation{Message: "x"}, "it says nothing: one of terminated, waiting, running, event, condition, phase and endpoints is needed"},
		{finding.Confirmation{Event: "BackOff", Phase: "Failed"}, "it says several things at once: each is an entry of its own"},
		{finding.Confirmation{Event: "BackOff", ExitCode: new(int32(1))}, "exitCode belongs to terminated"},
	} {
		if err := tt.c.Check(); err == nil || err.Error() != tt.want {
			t.Errorf("got %v, want %s", err, tt.want)
		}
	}
}
