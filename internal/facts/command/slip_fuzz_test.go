package command

import (
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/forestall/forestall/internal/facts/fact"
)

// FuzzSlips looks for command lines that break what may be relied on.
func FuzzSlips(f *testing.F) {
	known := table(f)
	for _, e := range append(unrunnableExamples(), literalExamples()...) {
		f.Add(strings.Join(e.command, "\x1f"), strings.Join(e.args, "\x1f"), e.in.Env["RUN"])
	}
	for _, text := range []string{"a & sleep infinity & wait", "x start && tail -f y", "while :; do sleep 1; done"} {
		f.Add("sh\x1f-c\x1f"+text, "", "")
	}
	f.Fuzz(func(t *testing.T, command, args, value string) {
		in := Input{
			Command: list(command), Args: list(args), CommandPath: commandPath, ArgsPath: argsPath,
			Env: map[string]string{"RUN": value}, EnvUnknown: map[string]bool{"B": true},
		}
		checkSlips(t, in, known)
		k := FindKeepAlive(in, known)
		if k.Path == "" || (k.Waits != "") != (k.State == fact.Present) || (k.Reason != "") != (k.State == fact.Unknown) {
			t.Errorf("%+v", k)
		}
	})
}

func checkSlips(t *testing.T, in Input, known Programs) {
	t.Helper()
	lines := []Line{{Role: RoleCommand, Input: in}}
	slips := FindSlips("spec", lines, known)
	if again := FindSlips("spec", lines, known); !reflect.DeepEqual(slips, again) {
		t.Errorf("two results: %+v and %+v", slips, again)
	}
	if len(slips.Unrunnable.Found)+len(slips.Literal.Found) > 1 {
		t.Errorf("more than one slip in a line: %+v", slips)
	}
	for _, list := range []SlipList{slips.Unrunnable, slips.Literal} {
		if (list.State == fact.Present) != (len(list.Found) > 0) {
			t.Errorf("state %s with %d slips", list.State, len(list.Found))
		}
		for _, s := range list.Found {
			if s.Form == "" || s.Path == "" || !utf8.ValidString(s.Word+s.Program) || len(strings.Join(s.Meant, "")) > maxMeant {
				t.Errorf("%+v", s)
			}
		}
	}
}

// TestHostileSlips looks at command lines that are made to cost as much as they can.
func TestHostileSlips(t *testing.T) {
	known := table(t)
	for name, in := range hostile() {
		in.CommandPath = commandPath
		t.Run(name, func(t *testing.T) {
			checkSlips(t, in, known)
			FindKeepAlive(in, known)
			in.Command = append([]string{"sh", "-c", "sleep infinity & " + strings.Join(in.Command, " ")}, in.Command...)
			checkSlips(t, in, known)
			FindKeepAlive(in, known)
		})
	}
}
