package command

import (
	"context"
	"errors"
	"flag"
	"math/rand/v2"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/forestall/forestall/internal/facts/fact"
)

var (
	scripts = flag.Int("scripts", 150, "how many random scripts to run with each shell")
	seeds   = flag.Uint64("seeds", 1, "which random scripts to run")
)

const (
	// runLimit is when a script that is claimed to end is given up: long, because
	// the machine may be busy, and only a wrong claim waits for it.
	runLimit = time.Minute
	// stillRunning is when a script that is claimed never to end is looked at.
	stillRunning = 300 * time.Millisecond
	// waitLimit is the longest claimed wait of a script that is run.
	waitLimit = 2
)

// shells are the local shells, by the name that a container would use.
func shells(t *testing.T) map[string]string {
	t.Helper()
	if testing.Short() {
		t.Skip("runs shells")
	}
	found := map[string]string{}
	for _, name := range []string{"sh", "bash"} {
		if path, err := exec.LookPath(name); err == nil {
			found[name] = path
		}
	}
	return found
}

// check runs a command line whose facts are known and compares what happens.
func check(t *testing.T, argv []string, ends Ends) {
	t.Helper()
	switch ends.State {
	case fact.Present:
		code, err := runFor(t, argv, runLimit)
		switch {
		case err != nil:
			t.Errorf("%q is claimed to end, but: %v", argv, err)
		case ends.ExitCode != nil && code != *ends.ExitCode:
			t.Errorf("%q ended with %d, claimed is %d", argv, code, *ends.ExitCode)
		}
	case fact.Absent:
		if code, err := runFor(t, argv, stillRunning); err == nil {
			t.Errorf("%q is claimed not to end, but ended with %d", argv, code)
		}
	}
}

// runFor runs a command line without standard input and returns its exit code;
// an error says that it was still running after the limit.
func runFor(t *testing.T, argv []string, limit time.Duration) (int, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir = t.TempDir()
	cmd.Env = []string{"PATH=" + os.Getenv("PATH")}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatalf("starting %q: %v", argv, err)
	}
	// What a script leaves in the background is in its process group.
	defer func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }()
	err := cmd.Wait()
	if ctx.Err() != nil {
		return 0, ctx.Err()
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("running %q: %v", argv, err)
	}
	return cmd.ProcessState.ExitCode(), nil
}

// TestExamples runs the examples that are about a shell and wait at most two seconds.
func TestExamples(t *testing.T) {
	local := shells(t)
	known := table(t)
	for _, e := range append(scriptExamples(), trapExamples()...) {
		path, ok := local[e.command[0]]
		if !ok || e.ends.AfterSeconds > waitLimit {
			continue
		}
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			facts := Analyze(e.input(), known)
			check(t, append([]string{path}, facts.Argv.Words[1:]...), facts.Ends)
		})
	}
}

// TestRandomScripts runs random scripts in the shells that they are claimed to
// be for. Raise -scripts to look for what the examples leave out.
func TestRandomScripts(t *testing.T) {
	known := table(t)
	for name, path := range shells(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			endless := *scripts / 15
			for seed := range uint64(*scripts) {
				g := generator{Rand: rand.New(rand.NewPCG(seed, *seeds)), bash: name == "bash"}
				script := g.script()
				facts := Analyze(Input{Command: []string{name, "-c", script}}, known)
				ends, argv := facts.Ends, append([]string{path}, facts.Argv.Words[1:]...)
				if ends.State == fact.Absent {
					endless--
				}
				if ends.AfterSeconds < 60 && (endless > 0 || ends.State == fact.Present) {
					check(t, argv, ends)
				}
			}
		})
	}
}
