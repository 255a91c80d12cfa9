package command

import (
	"os"
	"os/exec"
	"testing"
)

// TestJoined runs what is said to be no option, in the shells that are here.
func TestJoined(t *testing.T) {
	for name, path := range shells(t) {
		for _, script := range []string{"-c sleep 3600", "-c  echo hi", "-c exit"} {
			if code, err := runFor(t, []string{path, script}, runLimit); err != nil || code != 2 {
				t.Errorf("%s %q: %d, %v", name, script, code, err)
			}
		}
	}
}

// TestTakesOperators runs what is said to end well without a shell, and what is not.
func TestTakesOperators(t *testing.T) {
	known := table(t)
	for _, test := range []struct {
		line   string
		silent bool
		fails  bool
	}{
		{line: "mkdir -p a && mkdir -p b", silent: true},
		{line: "mkdir -p a && mkdir b ; mkdir -p c", silent: true},
		{line: "touch a && touch b", silent: true},
		{line: "rm -f a && rm -f b", silent: true},
		{line: "echo a && echo b", silent: true},
		{line: "mkdir a && mkdir b && mkdir c", fails: true},
		{line: "mkdir -p a && cp -r /etc/hostname a", fails: true},
		{line: "mkdir -p a && mkdir -m 700 b"},
		{line: "rm a && rm b", fails: true},
		{line: "cat /etc/hostname && cat /etc/hostname", fails: true},
		{line: "chmod 700 . && chmod 755 .", fails: true},
		{line: "mkdir -p a && sleep 5"},
		{line: "echo a && sleep 5"},
		{line: "echo a | tee b"},
		{line: "echo a > echo"},
	} {
		argv := words(test.line)
		slips := FindSlips("spec", []Line{{Role: RoleCommand, Input: Input{Command: argv}}}, known)
		if silent := len(slips.Literal.Found) == 0; silent != test.silent {
			t.Errorf("%s: %+v", test.line, slips.Literal)
		}
		if testing.Short() {
			continue
		}
		cmd := exec.CommandContext(t.Context(), argv[0], argv[1:]...)
		cmd.Dir, cmd.Env = t.TempDir(), []string{"PATH=" + os.Getenv("PATH")}
		if err := cmd.Run(); (err != nil) != test.fails {
			t.Errorf("%s: %v", test.line, err)
		}
	}
}
