package command

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/forestall/forestall/internal/facts/fact"
)

// Detaches says whether the command line only starts something that goes on in
// the background, so that the process ends although what it started would not:
// present where it does so unless a configuration file says otherwise, absent
// where it is known whether the process ends.
type Detaches struct {
	// Path is the field that decided it: the command, or the word that holds the shell script.
	fact.Observation
	// AfterSeconds is at most how long the process waits deliberately before it ends.
	AfterSeconds int64 `json:"afterSeconds,omitempty"`
	// Config is a file of the image that may keep it in the foreground, where there is one.
	Config string `json:"config,omitempty"`
	// Instead says how to keep it in the foreground: one clause, an order.
	Instead string `json:"instead,omitempty"`
	// Because is one clause that says why, for a person to read.
	Because string `json:"because,omitempty"`
}

// detaches is how a known program goes on in the background.
type detaches struct {
	Does    string   `json:"does"`    // what it does, after its name
	Given   []string `json:"given"`   // arguments of which one must be there
	Not     []string `json:"not"`     // arguments with which it may do something else
	Config  []string `json:"config"`  // files that may keep it in the foreground
	Instead string   `json:"instead"` // how to keep it in the foreground
}

// detaches observes a command line by supposing that the programs in it that may
// go on in the background do so. It is asked only where such a program was found.
func (in *Input) detaches(words []word, known Programs, ends Ends, found *detaches) Detaches {
	switch {
	case ends.State != fact.Unknown:
		return Detaches{Observation: fact.AbsentAt(ends.Path)}
	case found == nil:
		return Detaches{Observation: ends.Observation}
	}
	r := run{in: in, known: known, supposed: true}
	o := r.process(words, place{input: in.input(), first: true})
	ends = o.ends(in.CommandPath)
	if ends.State != fact.Present || r.daemon == nil {
		return Detaches{Observation: fact.UnknownAt(ends.Path, "it is not known whether the process ends")}
	}
	because := ends.Because
	if r.because != "" && !strings.HasPrefix(because, r.because) {
		because = r.because + ", and " + because
	}
	config := ""
	if len(r.daemon.Config) > 0 {
		config = r.daemon.Config[0]
	}
	return Detaches{
		Observation: fact.PresentAt(ends.Path), AfterSeconds: ends.AfterSeconds,
		Config: config, Instead: r.daemon.Instead, Because: because,
	}
}

// detached is the outcome of a program that goes on in the background, which is
// not certain: the configuration of the image may say otherwise.
func (r *run) detached(p *program, name string, args []word) outcome {
	r.daemon = p.Detaches
	if !r.supposed {
		if p.Serves != nil {
			return p.Serves.outcome(name, args)
		}
		return unfamiliar(name)
	}
	because := clause{subject: name, after: " " + p.Detaches.Does}
	r.because = because.String()
	return outcome{ways: falls, status: success, leaves: true, opens: true, program: name, because: because}
}

// goes reports whether a program goes on in the background, if it is one that may.
func (r *run) goes(d *detaches, args []word) bool {
	return d != nil && r.in.Budget.Spend(len(r.in.Mounts)) && d.goes(args, r.in.Mounts)
}

// goes reports whether these arguments make it go on in the background, as far
// as they tell.
func (d *detaches) goes(args []word, mounts []string) bool {
	if slices.ContainsFunc(args, func(a word) bool { return !a.known }) {
		return false
	}
	isGiven := func(pattern string) bool { return given(pattern, args, false) }
	mayNot := func(pattern string) bool { return given(pattern, args, true) }
	if slices.ContainsFunc(d.Not, mayNot) || slices.ContainsFunc(mounts, d.configures) {
		return false
	}
	return len(d.Given) == 0 || slices.ContainsFunc(d.Given, isGiven)
}

// configures reports whether a volume that is mounted there may hold a configuration file.
func (d *detaches) configures(mount string) bool {
	mount = strings.TrimSuffix(path.Clean(mount), "/")
	return slices.ContainsFunc(d.Config, func(file string) bool {
		rest, ok := strings.CutPrefix(file, mount)
		return ok && (rest == "" || rest[0] == '/')
	})
}

// given reports whether the words of a pattern stand side by side in args. With
// clusters a short option counts wherever it may be part of a word: -D in -eD.
func given(pattern string, args []word, clusters bool) bool {
	parts := strings.Fields(pattern)
	for i := range len(args) - len(parts) + 1 {
		if slices.EqualFunc(parts, args[i:i+len(parts)], func(part string, a word) bool {
			return a.text == part || clusters && mayHold(a.text, part)
		}) {
			return true
		}
	}
	return false
}

func mayHold(text, option string) bool {
	if strings.HasPrefix(option, "--") {
		return strings.HasPrefix(text, option+"=")
	}
	return len(option) == 2 && option[0] == '-' && len(text) > 1 && text[0] == '-' && text[1] != '-' && strings.Contains(text, option[1:])
}

func (d *detaches) validate() error {
	switch {
	case d == nil:
		return nil
	case d.Does == "" || d.Instead == "":
		return errors.New("detaches needs does and instead")
	}
	for _, pattern := range slices.Concat(d.Given, d.Not) {
		if len(strings.Fields(pattern)) == 0 {
			return errors.New("an argument of detaches is empty")
		}
	}
	for _, file := range d.Config {
		if !path.IsAbs(file) || path.Clean(file) != file {
			return fmt.Errorf("config %q is not absolute and clean", file)
		}
	}
	return nil
}
