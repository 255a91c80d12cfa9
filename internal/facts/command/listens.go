package command

import (
	"slices"
	"strconv"
	"strings"

	"github.com/forestall/forestall/internal/facts/fact"
)

// Listens says whether anything in the command line opens a port: present when
// a known server program runs, absent when all that may run is known and
// nothing of it listens.
type Listens struct {
	// Path is the field that decided it: the command, or the word that holds the shell script.
	fact.Observation
	// Port is the port that a known server listens on, where its arguments tell.
	Port int32 `json:"port,omitempty"`
	// Because is one clause that says why, for a person to read; empty when unknown.
	Because string `json:"because,omitempty"`
}

// serves is how a known server program is told to listen.
type serves struct {
	Port        int32    `json:"port"`        // where it listens without any argument
	PortOptions []string `json:"portOptions"` // options whose value is the port
	Not         []string `json:"not"`         // arguments with which it does something else
}

// outcome is that of a server: it listens, and it is not known whether it ends.
func (s *serves) outcome(name string, args []word) outcome {
	o := unfamiliar(name)
	port, ok := s.port(args)
	if !ok {
		return o
	}
	o.serves, o.port = true, port
	return o
}

// port is the port in the arguments, 0 where they do not tell. It reports false
// where the program may do something else.
func (s *serves) port(args []word) (int32, bool) {
	port := int32(0)
	if len(args) == 0 {
		port = s.Port
	}
	for i, a := range args {
		name, value, inline := strings.Cut(a.text, "=")
		switch {
		case !a.known || slices.Contains(s.Not, name):
			return 0, false
		case !slices.Contains(s.PortOptions, name):
			continue
		case !inline && i+1 < len(args):
			value = args[i+1].text
		}
		number, err := strconv.ParseUint(value, 10, 16)
		if err != nil || number == 0 {
			return 0, false
		}
		port = int32(number)
	}
	return port, true
}

// listens turns the outcome of a process into the observation. The programs
// are those that were followed on the way.
func (o outcome) listens(path string, ran []string) Listens {
	if o.path != "" {
		path = o.path
	}
	switch {
	case !o.opens:
		return Listens{Observation: fact.AbsentAt(path), Because: o.quiet(ran)}
	case o.serves:
		return Listens{Observation: fact.PresentAt(path), Port: o.port, Because: shorten(o.program) + " is a server"}
	}
	return Listens{Observation: fact.UnknownAt(path, "it is not known whether all that it runs opens no port")}
}

// maxNamed is how many programs a clause names.
const maxNamed = 3

// quiet says why nothing listens.
func (o outcome) quiet(ran []string) string {
	if o.path == "" && !o.because.isZero() && o.because.subject == o.because.about(o.program) {
		return o.because.only()
	}
	names := make([]string, 0, maxNamed)
	for _, name := range ran[:min(len(ran), maxNamed)] {
		names = append(names, shorten(name))
	}
	switch last := len(ran) - 1; {
	case last < 0:
		return "the script runs no program"
	case last == 0:
		return "it only runs " + names[0] + ", which opens no port"
	case last < maxNamed:
		return "it only runs " + strings.Join(names[:last], ", ") + " and " + names[last] + ", which open no port"
	}
	return "none of the programs that it runs opens a port"
}

// about is the subject that a clause about a program has; a clause that begins otherwise has none.
func (c clause) about(program string) string {
	if c.before != "" {
		return ""
	}
	return program
}

// only is the clause as the whole of what happens: "stress only burns CPU and memory".
func (c clause) only() string {
	clear, reads := strings.CutSuffix(c.before+c.after, ",")
	switch {
	case c.before != "":
		return clear
	case reads, c.whole:
		return shorten(c.subject) + strings.TrimSuffix(c.after, ",")
	}
	c.after = " only" + c.after
	return c.String()
}

// remember notes a program that was followed, a few of them for the clause.
func (r *run) remember(name string) {
	if len(r.ran) <= maxNamed && !slices.Contains(r.ran, name) {
		r.ran = append(r.ran, name)
	}
}
