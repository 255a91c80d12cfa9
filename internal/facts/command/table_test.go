package command

import (
	"os"
	"strings"
	"testing"

	"github.com/forestall/forestall/internal/facts/fact"
)

// table is the table of programs that is shipped.
func table(t testing.TB) Programs {
	t.Helper()
	data, err := os.ReadFile("../../../policies/data/programs.yaml")
	if err != nil {
		t.Fatal(err)
	}
	known, err := ParsePrograms(data)
	if err != nil {
		t.Fatal(err)
	}
	return known
}

const (
	commandPath = "spec.containers[0].command"
	argsPath    = "spec.containers[0].args"
)

// example is a command line and what is known of it.
type example struct {
	name    string
	command []string
	args    []string
	in      Input // further fields
	argv    *Argv // nil: the words as they are written
	program string
	ends    Ends
}

// input is the example as the analysis gets it.
func (e example) input() Input {
	in := e.in
	in.Command, in.Args = e.command, e.args
	in.CommandPath, in.ArgsPath = commandPath, argsPath
	return in
}

// want is what the analysis should find.
func (e example) want() Facts {
	want := Facts{Program: e.program, Ends: e.ends}
	if e.argv != nil {
		want.Argv = *e.argv
	} else {
		want.Argv.Observation = fact.PresentAt(commandPath)
		want.Argv.Words = append(append([]string{}, e.command...), e.args...)
	}
	if len(e.command) > 0 {
		want.Text = typed(e.command, e.args)
	}
	if strings.HasPrefix(want.Ends.Because, "sleep waits ") && want.Ends.State == fact.Present {
		want.Ends.OnlyWaits = true
	}
	if want.Ends.Path == "" {
		want.Ends.Path = commandPath
	}
	return want
}

// words splits a command line at its spaces.
func words(line string) []string { return strings.Fields(line) }

// script is a command line that runs a script with sh -c.
func script(text string) []string { return []string{"sh", "-c", text} }

// bash is the same for bash.
func bash(text string) []string { return []string{"bash", "-c", text} }

// ended is a process that ends by itself with an exit code that is not known.
func ended(because string, seconds int64) Ends {
	return Ends{Observation: fact.Observation{State: fact.Present}, AfterSeconds: seconds, Because: because}
}

// exited is a process that ends by itself with an exit code.
func exited(because string, seconds int64, code int) Ends {
	e := ended(because, seconds)
	e.ExitCode = &code
	return e
}

// endless is a process that runs until it is stopped.
func neverEnds(because string) Ends {
	return Ends{Observation: fact.Observation{State: fact.Absent}, Because: because}
}

func unknown(reason string) Ends {
	return Ends{Observation: fact.Observation{State: fact.Unknown, Reason: reason}}
}

// remains is what runs until it is stopped, or fails.
func remains(reason, because string) Ends {
	e := unknown(reason)
	e.NeverSucceeds, e.Because = true, because
	return e
}

// at sets the place that the fact was read from.
func (e Ends) at(path string) Ends {
	e.Path = path
	return e
}

// onlyWaiting says that it does nothing else.
func (e Ends) onlyWaiting() Ends {
	e.OnlyWaits = true
	return e
}

// inBackground says that the last command was put in the background.
func (e Ends) inBackground() Ends {
	e.Background = true
	return e
}

// inScript places a fact in the third word of the command.
func inScript(e Ends) Ends { return e.at(commandPath + "[2]") }
