package command

import (
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/forestall/forestall/internal/facts/fact"
)

// FuzzAnalyze looks for input that breaks what everybody may rely on. Lists are
// joined with newlines, because the fuzzer knows only strings.
func FuzzAnalyze(f *testing.F) {
	known := table(f)
	for _, e := range examples() {
		if len(strings.Join(e.command, "")) < 4096 {
			f.Add(strings.Join(e.command, "\x1f"), strings.Join(e.args, "\x1f"), e.in.Env["MODE"], e.in.Stdin, e.in.EnvOpen)
		}
	}
	for _, text := range []string{"nginx; sleep 1", "app & exec nginx", "for i in a b; do redis-server --daemonize yes; done", "service a start | cat"} {
		f.Add("sh\x1f-c\x1f"+text, "", "", false, false)
	}
	f.Fuzz(func(t *testing.T, command, args, value string, stdin, open bool) {
		in := Input{
			Command: list(command), Args: list(args), CommandPath: commandPath, ArgsPath: argsPath,
			Env: map[string]string{"A": value}, EnvUnknown: map[string]bool{"B": true}, EnvOpen: open, Stdin: stdin,
		}
		facts := Analyze(in, known)
		checkInvariants(t, facts)
		if again := Analyze(in, known); !reflect.DeepEqual(facts, again) {
			t.Errorf("two results: %+v and %+v", facts, again)
		}
	})
}

func list(joined string) []string {
	if joined == "" {
		return nil
	}
	return strings.Split(joined, "\x1f")
}

func checkInvariants(t *testing.T, facts Facts) {
	t.Helper()
	ends := facts.Ends
	isUnknown := ends.State == fact.Unknown
	for _, rule := range []struct {
		name  string
		holds bool
	}{
		{"a state", ends.State == fact.Present || ends.State == fact.Absent || isUnknown},
		{"a path", ends.Path != "" && facts.Argv.Path != ""},
		{"a reason if and only if unknown", (ends.Reason != "") == isUnknown},
		{"a because unless unknown", (ends.Because != "") == (!isUnknown || ends.NeverSucceeds)},
		{"never succeeding only where unknown", isUnknown || !ends.NeverSucceeds},
		{"no negative time", ends.AfterSeconds >= 0 && ends.AfterSeconds <= maxSeconds},
		{"time only for what ends", ends.AfterSeconds == 0 || ends.State == fact.Present},
		{"an exit code only for what ends", ends.ExitCode == nil || ends.State == fact.Present},
		{"an exit code of a byte", ends.ExitCode == nil || *ends.ExitCode >= 0 && *ends.ExitCode <= 255},
		{"one line", !strings.ContainsAny(ends.Because+ends.Reason, "\n\r\t")},
		{"valid text", utf8.ValidString(ends.Because + ends.Reason)},
		{"short text", utf8.RuneCountInString(facts.Text) <= maxText},
		{"short clauses", utf8.RuneCountInString(ends.Because) < 160 && utf8.RuneCountInString(ends.Reason) < 160},
		{"a state of listening", facts.Listens.State != ""},
		{"a reason if and only if listening is unknown", (facts.Listens.Reason != "") == (facts.Listens.State == fact.Unknown)},
		{"a because unless listening is unknown", (facts.Listens.Because != "") == (facts.Listens.State != fact.Unknown)},
		{"a state of detaching", facts.Detaches.State != ""},
		{"a because if and only if it detaches", (facts.Detaches.Because != "") == (facts.Detaches.State == fact.Present)},
		{"not known to end where it may detach", facts.Detaches.State != fact.Present || facts.Ends.State == fact.Unknown},
		{"detaching short and valid", utf8.RuneCountInString(facts.Detaches.Because) < 300 && utf8.ValidString(facts.Detaches.Because)},
		{"short and valid", utf8.RuneCountInString(facts.Listens.Because) < 200 && utf8.ValidString(facts.Listens.Because)},
		{"words if and only if known", (len(facts.Argv.Words) > 0) == (facts.Argv.State == fact.Present)},
	} {
		if !rule.holds {
			t.Errorf("not so: %s, in %+v", rule.name, facts)
		}
	}
}
