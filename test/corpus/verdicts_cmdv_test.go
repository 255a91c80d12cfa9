package corpus

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// commandVerdicts is a folder of manifests of which the verdict was once wrong, beside this repository.
var commandVerdicts = filepath.Join("..", "..", "..", "shared", "verdicts")

// TestVerdictsOnCommands holds what is said of the commands in each of them: rule and level, by container.
func TestVerdictsOnCommands(t *testing.T) {
	if _, err := os.Stat(commandVerdicts); errors.Is(err, os.ErrNotExist) {
		t.Skip("no verdicts beside this repository")
	}
	rules := embedded(t)
	for file, want := range map[string][]string{
		"wrong-deny/16-cat-named-pipe.yaml":             nil,
		"wrong-deny/17-sed-reads-named-pipe.yaml":       nil,
		"wrong-deny/26-sidecar-that-ends-in-a-job.yaml": nil,
		"wrong-warn/06-dollar-in-password.yaml":         nil,
		"missed/01-sh-dash-c-in-one-element.yaml":       {"a: command-not-executable=deny"},
		"missed/02-env-assignment-as-program.yaml":      {"a: command-not-executable=deny", "b: command-not-executable=deny"},
		"missed/03-args-line-of-busybox.yaml":           {"a: command-not-executable=deny", "b: command-not-executable=deny"},
		"missed/04-builtin-as-program.yaml":             {"a: command-not-executable=deny", "b: command-not-executable=deny"},
		"missed/05-home-in-program.yaml":                {"a: command-not-executable=deny", "b: command-not-executable=deny"},
		"missed/06-path-and-word.yaml": {
			"a: command-not-executable=deny", "b: command-not-executable=deny",
			"c: command-not-executable=deny", "d: command-not-executable=deny",
		},
		"missed/07-sh-c-split-java-npm.yaml":   {"a: command-not-executable=deny", "b: command-not-executable=deny"},
		"missed/19-unfilled-command.yaml":      {"a: command-not-executable=deny", "b: command-not-executable=deny"},
		"missed/12-trap-and-wait-as-init.yaml": {"hold: command-never-ends=deny"},
		"missed/13-sleep-a-year-as-init.yaml":  {"hold: command-never-ends=deny"},
	} {
		t.Run(file, func(t *testing.T) {
			var got []string
			for _, f := range findings(t, rules, filepath.Join(commandVerdicts, file), false) {
				if f.Rule != countedApart && complains(f) {
					got = append(got, f.Container+": "+f.Rule+"="+string(f.Level))
				}
			}
			slices.Sort(got)
			if diff := gocmp.Diff(want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
