package command

import (
	"slices"
	"strings"

	"github.com/forestall/forestall/internal/facts/fact"
)

// Role says which command of a container a command line is.
type Role string

// The commands that a container can name.
const (
	RoleCommand        Role = "command"
	RoleLivenessProbe  Role = "livenessProbe"
	RoleReadinessProbe Role = "readinessProbe"
	RoleStartupProbe   Role = "startupProbe"
	RolePostStart      Role = "postStart"
	RolePreStop        Role = "preStop"
)

// Line is one command line of a container and what it is for.
type Line struct {
	Role  Role
	Input Input
}

// Slips are the command lines of a container that do not say what was meant.
type Slips struct {
	// Unrunnable are those that cannot start the program that they name.
	Unrunnable SlipList `json:"unrunnable"`
	// Literal are those in which a program gets text that only a shell would understand.
	Literal SlipList `json:"literal"`
}

// Has reports whether one was found in the command of this role.
func (s *Slips) Has(role Role) bool {
	is := func(slip Slip) bool { return slip.Role == role }
	return slices.ContainsFunc(s.Unrunnable.Found, is) || slices.ContainsFunc(s.Literal.Found, is)
}

// SlipList is absent when none was found.
type SlipList struct {
	fact.Observation
	// Found are the slips, at most one for each command of the container.
	Found []Slip `json:"found,omitempty"`
}

// Slip is one word of a command line that does not say what was meant.
type Slip struct {
	// Role is which command of the container it is.
	Role Role `json:"role" jsonschema:"enum=command,enum=livenessProbe,enum=readinessProbe,enum=startupProbe,enum=postStart,enum=preStop"`
	// Form is the kind of slip: the program is empty, an option, a whole command line,
	// an assignment, a built-in of the shell, a variable that nothing replaces (reference), or a name with
	// characters in it that nobody sees (hidden); a shell gets
	// its script in one element with -c (joined), or the text of a script where it expects a file, or the words
	// of a script one by one (split); or a program gets an operator of the shell, a
	// variable, a command substitution, a pattern of names of files, or an option glued to its value.
	Form string `json:"form" jsonschema:"enum=empty,enum=option,enum=line,enum=script,enum=split,enum=operator,enum=variable,enum=substitution,enum=glued,enum=assignment,enum=builtin,enum=reference,enum=joined,enum=pattern,enum=hidden"`
	// Path is where the word stands.
	Path string `json:"path"`
	// Word is the word as it is written, shortened.
	Word string `json:"word,omitempty"`
	// Hidden says which character of a hidden form nobody sees, and where it is: "ends in a line break".
	Hidden string `json:"hidden,omitempty"`
	// Program is the base name of the program that gets the word; for an unrunnable one, the shell, if there is one.
	Program string `json:"program,omitempty"`
	// Meant is the command line, or for glued words the words, as they were
	// probably meant; empty when that is not known or too long to show.
	Meant []string `json:"meant,omitempty"`
	// Args says that the command line goes on in args, which what was meant replaces as well.
	Args bool `json:"args,omitempty"`
	// Define are the variables that the container has to define so that what was meant works.
	Define []Downward `json:"define,omitempty"`
	// Shell says of the shell that was meant and that nobody wrote whether the image has it; empty where it does.
	Shell fact.State `json:"shell,omitempty" jsonschema:"enum=absent,enum=unknown"`
	// Sure says that nothing else can have been meant, and that it needs nothing that the container may lack.
	Sure bool `json:"sure,omitempty"`
	// Step says that what was meant does something once, such as migrating a database.
	Step bool `json:"step,omitempty"`
}

// The forms of a slip.
const (
	formEmpty        = "empty"
	formOption       = "option"
	formLine         = "line"
	formScript       = "script"
	formSplit        = "split"
	formOperator     = "operator"
	formVariable     = "variable"
	formSubstitution = "substitution"
	formGlued        = "glued"
	formAssignment   = "assignment"
	formBuiltin      = "builtin"
	formReference    = "reference"
	formJoined       = "joined"
	formPattern      = "pattern"
	formHidden       = "hidden"
)

// maxMeant is how many bytes a corrected command line may have to be shown.
const maxMeant = 400

// FindSlips looks at every command line of the container at path.
func FindSlips(path string, lines []Line, known Programs) Slips {
	s := Slips{
		Unrunnable: SlipList{Observation: fact.AbsentAt(path)},
		Literal:    SlipList{Observation: fact.AbsentAt(path)},
	}
	shell := slices.ContainsFunc(lines, func(l Line) bool { return l.runsShell(known) })
	for i := range lines {
		lines[i].Input.Budget = lines[i].Input.Budget.OrDefault()
		l := newSlipLine(&lines[i].Input, known)
		if l == nil {
			continue
		}
		l.role, l.shell = lines[i].Role, shell
		list := &s.Unrunnable
		slip, ok := l.unrunnable()
		if !ok {
			list = &s.Literal
			slip, ok = l.literal()
		}
		if ok {
			l.judge(&slip)
			list.State = fact.Present
			list.Found = append(list.Found, slip)
		}
	}
	return s
}

// slipLine is one command line on its way through the search.
type slipLine struct {
	in    *Input
	known Programs
	words []word   // after the references of Kubernetes are replaced
	raw   []string // as they are written
	role  Role
	shell bool // another command of the container runs in a shell
}

// runsShell reports whether a command line begins with a shell, so that there is one in the image.
func (l *Line) runsShell(known Programs) bool {
	if len(l.Input.Command) == 0 {
		return false
	}
	p := known.find(l.Input.Command[0])
	return p != nil && p.Shell != nil
}

// newSlipLine returns nil where there is nothing to look at.
func newSlipLine(in *Input, known Programs) *slipLine {
	if len(in.Command) == 0 && len(in.Args) == 0 {
		return nil
	}
	words, _ := in.expand()
	if words == nil {
		return nil
	}
	if alone, ok := in.argsAlone(); ok {
		in = alone
	}
	raw := make([]string, 0, len(words))
	raw = append(append(raw, in.Command...), in.Args...)
	return &slipLine{in: in, known: known, words: words, raw: raw}
}

// argsAlone is the same container with its args as the command that they are, where the image has no entrypoint.
func (in *Input) argsAlone() (*Input, bool) {
	if len(in.Command) > 0 || len(in.Args) == 0 || in.Image.entry == nil || in.Image.entry.Args != argsReplace {
		return nil, false
	}
	alone := *in
	alone.Command, alone.CommandPath, alone.Args, alone.onlyArgs = in.Args, in.ArgsPath, nil, true
	return &alone, true
}

// rawOf is a word as it is written. One that is only a part of a word is as it was read.
func (l *slipLine) rawOf(w *word) string {
	for i := range l.words {
		if l.words[i].field == w.field && l.words[i].index == w.index {
			return l.raw[i]
		}
	}
	return w.text
}

// slip is a slip in the word at i.
func (l *slipLine) slip(form string, i int, program string, meant ...string) Slip {
	size := 0
	for _, m := range meant {
		size += len(m)
	}
	if size > maxMeant {
		meant = nil
	}
	return Slip{
		Form: form, Path: l.words[i].path(), Word: shown(l.raw[i]), Program: shorten(program), Meant: meant,
		Args: l.in.onlyArgs || len(l.in.Command) > 0 && len(l.in.Args) > 0,
	}
}

// before is the command line up to a word, to which more can be appended.
func (l *slipLine) before(i int) []string { return append([]string{}, l.raw[:i]...) }

// hasDefaultEntrypoint says that the image decides which program runs.
func (l *slipLine) hasDefaultEntrypoint() bool { return len(l.in.Command) == 0 }

// start is where the program stands behind wrappers such as env and tini. It
// reports false where a wrapper is not understood.
func (l *slipLine) start() (int, bool) {
	at := 0
	for range maxCalls {
		w := l.words[at]
		if !w.known {
			return at, false
		}
		p := l.known.find(w.text)
		if p == nil || p.Wraps == nil {
			return at, true
		}
		operands, ok := p.wrapped(l.words[at+1:])
		if !ok || len(operands) == 0 {
			return at, false
		}
		at = len(l.words) - len(operands)
	}
	return at, false
}

// wrapped returns the command that a wrapper runs.
func (p *program) wrapped(args []word) ([]word, bool) {
	line, ok := p.options.parse(args, true)
	if !ok {
		return nil, false
	}
	operands := line.operands
	for p.Wraps.Assignments && len(operands) > 0 && operands[0].known && strings.Contains(operands[0].text, "=") {
		operands = operands[1:]
	}
	skip := p.Wraps.Skip
	if p.Wraps.Limit {
		skip = 1
	}
	if len(operands) <= skip {
		return nil, false
	}
	return operands[skip:], true
}
