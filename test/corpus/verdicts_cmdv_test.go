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
		"missed/13-sleep-a-year-as-init.yaml":           {"hold: command-never-ends=deny"},
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
