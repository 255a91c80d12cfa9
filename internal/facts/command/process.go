package command

import (
	"path"
	"slices"
)

// input is what a process finds on standard input.
type input int

const (
	inputEmpty input = iota // nothing: it ends at once
	inputEnds               // something that ends
	inputOpen               // something that may never end
)

// place is where a process runs.
type place struct {
	input input
	// calls counts the functions and programs around it.
	calls int
	// first says that it may be the first process of the container, to which
	// signals from inside do nothing unless it handles them.
	first bool
}

// run is one analysis.
type run struct {
	in    *Input
	known Programs
	steps int
	// strange says that a program may run that is not known; it may install others.
	strange bool
	// supposed says that programs that may go on in the background are taken to do so.
	supposed bool
	// daemon is the last program found that may go on in the background.
	daemon *detaches
	// because says what that program does.
	because string
	// works says that something may do more than wait: a program runs, or a file is written.
	works bool
	// ran holds the names of some of the programs that may run.
	ran []string
	// assigned holds the variables that scripts and env set on the way.
	assigned map[string]bool
}

// step counts a piece of work and reports whether there is still room for it.
func (r *run) step() bool { return r.spend(1) }

// spend counts n pieces of work: of what may be done for one command line, and for one object.
func (r *run) spend(n int) bool {
	r.steps += n
	return r.in.Budget.Spend(n) && r.steps <= maxSteps
}

// perStep is how many bytes of text take about as long to look at as a statement.
const perStep = 64

func tooLong() outcome {
	return doubtful(anyhow, "it is too long or too deeply nested to follow", "", "")
}

// process is the outcome of a program and its arguments as a process of its own.
func (r *run) process(argv []word, at place) outcome {
	switch {
	case !r.step() || at.calls > maxCalls:
		return tooLong().contained()
	case len(argv) == 0:
		return doubtful(external, "there is no program to run", "", "")
	case !argv[0].known:
		return doubtful(external, "which program runs depends on a variable", "", "")
	case argv[0].text == "":
		return doubtful(external, "the name of the program is empty", "", "")
	}
	name := path.Base(argv[0].text)
	p := r.known.find(argv[0].text)
	r.works = r.works || !p.mayOnlyWait()
	switch {
	case p == nil:
		r.strange = true
		return unfamiliar(name)
	case r.isChanged(p):
		return named(name, doubtful(external, "a variable changes what ", name, " does"))
	case p.Shell != nil:
		return r.shell(p.Shell, name, argv[1:], at)
	case p.Wraps != nil:
		return r.wrapper(p, name, argv[1:], at)
	}
	if o, ok := r.byArguments(p, name, argv[1:]); ok {
		return o
	}
	r.remember(name)
	r.strange = r.strange || p.Installs
	o := named(name, r.plain(p, name, argv[1:], at.input))
	o.opens = o.opens && p.Listens == nil
	return o
}

// byArguments is the outcome of a program that its arguments make a server, or something that does one thing.
func (r *run) byArguments(p *program, name string, args []word) (outcome, bool) {
	switch {
	case p.Once != nil && p.doesOnce(args) != nil:
		r.remember(name)
		return r.once(p, name, args), true
	case r.goes(p.Detaches, args):
		return r.detached(p, name, args), true
	case p.Stays.holds(args):
		r.remember(name)
		return p.stays(name, args), true
	case p.Serves != nil:
		return p.Serves.outcome(name, args), true
	}
	return outcome{}, false
}

// mayOnlyWait reports whether a program does nothing but wait, or what another one does that it runs.
func (p *program) mayOnlyWait() bool {
	return p != nil && (p.Shell != nil || p.Wraps != nil || p.Process != nil && p.Process.Operands == operandsDurations)
}

func named(name string, o outcome) outcome {
	o.program = name
	return o
}

// unfamiliar is the outcome of a program that the table does not know.
func unfamiliar(name string) outcome {
	return named(name, doubtful(external, "it is not known whether ", name, " ends"))
}

func (r *run) isChanged(p *program) bool {
	return slices.ContainsFunc(p.ChangedBy, func(variable string) bool {
		_, literal := r.in.Env[variable]
		return literal || r.in.EnvUnknown[variable] || r.assigned[variable]
	})
}

func (r *run) assign(variable string) {
	if r.assigned == nil {
		r.assigned = map[string]bool{}
	}
	r.assigned[variable] = true
}

// plain is the outcome of a program that runs no other.
func (r *run) plain(p *program, name string, args []word, in input) outcome {
	if p.Process == nil {
		return unfamiliar(name)
	}
	line, ok := p.options.parse(args, false)
	if !ok {
		return unclear(name, args)
	}
	if p.Process.Operands == operandsTest {
		line.operands = args
	}
	b := p.Process.given(line.given)
	switch {
	case b.Ends == nil && !b.Signals:
		return unclear(name, args)
	case b.Signals:
		return doubtful(external|escapes, "", name, " may end any process")
	case b.Stdin == stdinData && in == inputOpen, b.Stdin == stdinProgram && in != inputEmpty:
		return doubtful(external, "", name, " reads standard input, which may not end")
	}
	switch {
	case b.statement != nil && !b.runs(line.values):
		return unclear(name, args)
	case *b.Ends && b.reads(line.operands, r.mayBePipe):
		return doubtful(external, "", name, " may read a named pipe or a device, which does not end")
	}
	return r.withKnownWords(b, name, line.operands, b.limited(name, line, b.outcome(name, len(args) == 0, line.operands)))
}

// withKnownWords is the outcome of a program in this image, where an old one may
// not know what its operands say. What ran before it may have installed another.
func (r *run) withKnownWords(b *process, name string, operands []word, o outcome) outcome {
	if b.Operands != operandsDurations || o.ways != stays || r.strange || r.in.Image.sleepsForever() ||
		!slices.ContainsFunc(operands, func(w word) bool { return isInfinity(w.text) }) {
		return o
	}
	of := " of image " + shorten(r.in.Image.name+":"+r.in.Image.tag) + ` does not know "infinity"`
	return outcome{ways: falls, status: exactly(1), rejects: "infinity", because: clause{subject: name, after: of}}
}

// limited is the outcome of a program that was given the time after which it ends.
func (b *process) limited(name string, line parsed, o outcome) outcome {
	for _, v := range line.values {
		if !slices.Contains(b.Timeout, v.option) || o.ways&^(falls|stays) != 0 {
			continue
		}
		seconds, forever, ok := parseDuration(v.value.text)
		switch {
		case !v.value.known, !ok, seconds == 0:
			return unclear(name, []word{v.value})
		case forever:
			o.ways = stays
			return o
		}
		o.ways, o.wait = falls, seconds
		o.because.after, o.because.seconds = " "+b.Does+" for", seconds
	}
	return o
}

func unclear(name string, args []word) outcome {
	if slices.ContainsFunc(args, func(a word) bool { return !a.known }) {
		return doubtful(external, "what ", name, " does depends on a variable")
	}
	return doubtful(external, "it is not known what ", name, " does with these arguments")
}

// given is the behaviour with these options.
func (b *process) given(options []string) *process {
	for i := range b.When {
		if slices.ContainsFunc(b.When[i].Given, func(o string) bool { return slices.Contains(options, o) }) {
			return &b.When[i].process
		}
	}
	return b
}

// outcome is what a process comes to whose options and standard input are settled.
func (b *process) outcome(name string, bare bool, operands []word) outcome {
	o := outcome{ways: stays, because: clause{subject: name, after: " " + b.Does}}
	if *b.Ends {
		o.ways = falls
	}
	switch {
	case b.ExitCode != nil:
		o.status = exactly(*b.ExitCode)
	case bare && b.BareExitCode != nil:
		o.status = exactly(*b.BareExitCode)
	}
	switch b.Operands {
	case operandsNone:
		if len(operands) > 0 {
			return unclear(name, operands)
		}
	case operandsOpened, operandsCopied:
		return b.opened(name, operands, o)
	case operandsDurations:
		return waiting(name, operands, o)
	case operandsIntegers:
		if _, ok := sequenceLength(operands); !ok {
			return unclear(name, operands)
		}
	case operandsTest:
		o.status = testStatus(name, operands)
	}
	return o
}
