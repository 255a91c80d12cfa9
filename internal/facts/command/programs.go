package command

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"regexp"
	"strings"

	"sigs.k8s.io/yaml"
)

// Programs is what is known of programs by their name. The zero value knows
// nothing, so every program is one that may or may not end. It is read-only
// and safe for concurrent use.
type Programs struct {
	byName map[string]*program
	byPath map[string]*program
	// byDirectory holds groups whose programs are all those of a directory.
	byDirectory map[string]*program
}

// program is a group of the table: programs that behave alike.
type program struct {
	// Programs are the names, found when bare or in a standard directory.
	Programs []string `json:"programs"`
	// Paths are further absolute paths under which they are installed.
	Paths []string `json:"paths"`
	// Directories hold programs of this group and no others.
	Directories []string `json:"directories"`
	// Source is the page that documents the behaviour.
	Source string `json:"source"`
	// Options are the options that are understood, "-n=" if it takes a value; absent: all are, and none takes a value.
	Options []string `json:"options"`
	// ChangedBy names environment variables that make it do something else.
	ChangedBy []string `json:"changedBy"`
	// Installs says that programs may be others after it.
	Installs bool `json:"installs"`
	// Process says what the process does; absent when that is not known.
	Process *process `json:"process"`
	// Wraps says that it runs the command that its operands spell.
	Wraps *wraps `json:"wraps"`
	// Shell says that it is a shell.
	Shell *shell `json:"shell"`
	// Listens is false for a program that opens no port, whatever its arguments.
	Listens *bool `json:"listens"`
	// Serves says that it is a server.
	Serves *serves `json:"serves"`
	// Once are arguments with which it does one thing and ends.
	Once []once `json:"once"`
	// Stays says that it stays in the foreground, and does not end well by itself.
	Stays *foreground `json:"stays"`
	// Detaches says that it goes on in the background while the process that was started ends.
	Detaches *detaches `json:"detaches"`

	options options
}

// process is how a program behaves as a process.
type process struct {
	Does         string   `json:"does"`
	Ends         *bool    `json:"ends"`
	ExitCode     *int     `json:"exitCode"`
	BareExitCode *int     `json:"bareExitCode"`
	Stdin        string   `json:"stdin"`
	Operands     string   `json:"operands"`
	Files        []string `json:"files"`
	Timeout      []string `json:"timeout"`
	Signals      bool     `json:"signals"`
	Statement    string   `json:"statement"`
	When         []when   `json:"when"`

	statement *regexp.Regexp
}

// when replaces the behaviour if one of the options is given.
type when struct {
	Given []string `json:"given"`
	process
}

// wraps is how a program finds the command that it runs.
type wraps struct {
	Assignments bool `json:"assignments"`
	Skip        int  `json:"skip"`
	Limit       bool `json:"limit"`
	Forks       bool `json:"forks"`
}

// shell is what distinguishes one shell from another.
type shell struct {
	Language string `json:"language"`
}

// The values of Process.Stdin, Process.Operands and Shell.Language.
const (
	stdinData    = "data"    // it may read standard input to its end
	stdinProgram = "program" // it runs what it reads from standard input

	operandsNone      = "none"      // any operand makes it do something else
	operandsOpened    = "opened"    // its operands are files that it reads or writes
	operandsCopied    = "copied"    // as opened, and what the last one names is written
	operandsDurations = "durations" // it waits for the sum of its operands
	operandsIntegers  = "integers"  // it counts between its operands
	operandsTest      = "test"      // they are an expression of test(1)

	languagePOSIX = "posix"
	languageBash  = "bash"
)

// ParsePrograms reads the table of programs. It is strict: an unknown field, a
// name listed twice or a contradiction is an error that names the entry.
func ParsePrograms(data []byte) (Programs, error) {
	var table struct {
		Groups []json.RawMessage `json:"groups"`
	}
	if err := yaml.UnmarshalStrict(data, &table); err != nil {
		return Programs{}, fmt.Errorf("reading the table of programs: %w", err)
	}
	known := Programs{byName: map[string]*program{}, byPath: map[string]*program{}, byDirectory: map[string]*program{}}
	for i, raw := range table.Groups {
		p, err := parseProgram(raw)
		if err == nil {
			err = known.add(p)
		}
		if err != nil {
			return Programs{}, fmt.Errorf("reading the table of programs: group %d (%s): %w", i+1, strings.Join(p.Programs, ", "), err)
		}
	}
	return known, nil
}

func parseProgram(raw json.RawMessage) (*program, error) {
	p := &program{}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(p); err != nil {
		return p, err
	}
	if err := p.validate(); err != nil {
		return p, err
	}
	p.options = newOptions(p.Options)
	return p, errors.Join(p.compile(), p.compileOnce(), p.Stays.compile())
}

func (k Programs) add(p *program) error {
	for _, name := range p.Programs {
		if k.byName[name] != nil {
			return fmt.Errorf("%q is listed twice", name)
		}
		k.byName[name] = p
	}
	for _, at := range p.Paths {
		if k.byPath[at] != nil {
			return fmt.Errorf("path %q is listed twice", at)
		}
		k.byPath[at] = p
	}
	for _, at := range p.Directories {
		if k.byDirectory[at] != nil {
			return fmt.Errorf("directory %q is listed twice", at)
		}
		k.byDirectory[at] = p
	}
	return nil
}

// find returns what is known of the program that argv[0] names, or nil. A
// relative path or one in an unusual directory may be anything.
func (k Programs) find(name string) *program {
	if !strings.Contains(name, "/") {
		return k.byName[name]
	}
	if p := k.byPath[name]; p != nil {
		return p
	}
	switch dir, base := path.Split(name); dir {
	case "/bin/", "/usr/bin/", "/sbin/", "/usr/sbin/", "/usr/local/bin/":
		return k.byName[base]
	default:
		return k.byDirectory[strings.TrimSuffix(dir, "/")]
	}
}
