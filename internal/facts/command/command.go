package command

import (
	"github.com/forestall/forestall/internal/budget"
	"github.com/forestall/forestall/internal/facts/fact"
)

// Input is what a container says about its command line.
type Input struct {
	// Command and Args are the container's fields, as written.
	Command, Args []string
	// CommandPath and ArgsPath are where they stand: spec.containers[0].command.
	CommandPath, ArgsPath string
	// Env holds the variables with a literal value, references among them resolved.
	Env map[string]string
	// EnvUnknown names the variables whose value comes from elsewhere (valueFrom).
	EnvUnknown map[string]bool
	// EnvOpen says that envFrom is used: any name that is not in Env may be defined.
	EnvOpen bool
	// Image is what is known of the image, and ImagePath where it stands.
	Image     Image
	ImagePath string
	// ImageText is the reference to the image as the container names it.
	ImageText string
	// Mounts are the places where volumes are mounted.
	Mounts []string
	// Pipes are the places where others than this container can put something: a file there may be a named pipe or a
	// device. They are clean, and each is true.
	Pipes map[string]bool
	// Stdin says that the container keeps standard input open or has a terminal.
	Stdin bool
	// Budget bounds the work; nil for the default. What it did not suffice for is unknown.
	Budget *budget.Budget
	// onlyArgs says that the command was written as args.
	onlyArgs bool
	// Parsed keeps the scripts that were parsed, for the next question about the same container;
	// nil keeps none.
	Parsed *Scripts
}

// Facts are the observations about one command line.
type Facts struct {
	// Argv is the command line that runs.
	Argv Argv `json:"argv"`
	// Program is the base name of what finally runs, behind wrappers such as env,
	// tini or a shell's exec; empty when it is not known.
	Program string `json:"program,omitempty"`
	// Text is the command as a person would type it, shortened, for messages. It
	// shows references to variables as they are written, not their values.
	Text string `json:"text,omitempty"`
	// Ends says whether the process ends by itself.
	Ends Ends `json:"ends"`
	// Detaches says whether it only starts something in the background.
	Detaches Detaches `json:"detaches"`
	// Listens says whether anything in the command line opens a port.
	Listens Listens `json:"listens"`
}

// Argv is the command line after Kubernetes replaced $(NAME) references. It is
// absent when the container gives neither command nor args, and unknown when
// the image's entrypoint runs or a word depends on a variable whose value is
// not at hand.
type Argv struct {
	fact.Observation
	// Words are the words of the command line, the program first.
	Words []string `json:"words,omitempty"`
}

// Ends says whether the process ends by itself: present when it is known to
// end, absent when it is known to run until it is stopped.
type Ends struct {
	// Path is the field that decided it: the command, or the word that holds the shell script.
	fact.Observation
	// AfterSeconds is at most how long the process waits deliberately before it
	// ends: the sleeps on its longest path, 0 when there are none.
	AfterSeconds int64 `json:"afterSeconds"`
	// ExitCode is the exit code, where there can be only one.
	ExitCode *int `json:"exitCode,omitempty"`
	// OnlyWaits says that it waits for a while and does nothing else, so that nothing is lost when it ends.
	OnlyWaits bool `json:"onlyWaits,omitempty"`
	// Background says that its last command was put in the background, where it is killed when the rest has ended.
	Background bool `json:"background,omitempty"`
	// NeverSucceeds says of a process that may end by itself that it has failed then: a server in the foreground.
	NeverSucceeds bool `json:"neverSucceeds,omitempty"`
	// Stoppable says that its clients can end it, too, and then it succeeds.
	Stoppable bool `json:"stoppable,omitempty"`
	// Rejects is an argument that makes its last command fail: one that this version does not know.
	Rejects string `json:"rejects,omitempty"`
	// Because is one clause that says why, for a person to read; empty when unknown.
	Because string `json:"because,omitempty"`
}

// Analyze observes one command line. It is pure: the same input gives the same facts.
func Analyze(in Input, known Programs) Facts {
	in.Budget = in.Budget.OrDefault()
	if len(in.Command) == 0 {
		return in.withoutCommand(known)
	}
	words, argv := in.expand()
	facts := Facts{Argv: argv, Text: typed(in.Command, in.Args)}
	if words == nil {
		facts.Ends.Observation = argv.Observation
		facts.Detaches.Observation = argv.Observation
		facts.Listens.Observation = argv.Observation
		return facts
	}
	r := run{in: &in, known: known}
	result := r.process(words, place{input: in.input(), first: true})
	facts.Program = result.program
	facts.Ends = result.ends(in.CommandPath)
	facts.Ends.OnlyWaits = facts.Ends.AfterSeconds > 0 && !r.works
	facts.Detaches = in.detaches(words, known, facts.Ends, r.daemon)
	facts.Listens = result.listens(in.CommandPath, r.ran)
	return facts
}

// input is what the first process finds on standard input.
func (in *Input) input() input {
	if in.Stdin {
		return inputOpen
	}
	return inputEmpty
}
