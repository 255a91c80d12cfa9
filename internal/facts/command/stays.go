package command

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// foreground is how a known program stays in the foreground until it is stopped. Where it ends by itself it has
// failed: its port is taken, or its configuration is wrong.
type foreground struct {
	Does      string   `json:"does"`      // what it does, after its name
	Arguments string   `json:"arguments"` // a pattern of the arguments with which it does so, one space between them
	Not       []string `json:"not"`       // arguments with which it may do something else
	Stoppable bool     `json:"stoppable"` // its clients can end it

	arguments *regexp.Regexp
}

// compile makes the pattern ready.
func (f *foreground) compile() error {
	if f == nil {
		return nil
	}
	pattern, err := regexp.Compile(`^(?:` + f.Arguments + `)$`)
	if err != nil {
		return fmt.Errorf("stays: arguments: %w", err)
	}
	f.arguments = pattern
	return nil
}

// holds reports whether these arguments keep it in the foreground.
func (f *foreground) holds(args []word) bool {
	if f == nil {
		return false
	}
	for _, pattern := range f.Not {
		if given(pattern, args, true) {
			return false
		}
	}
	text, ok := joined(args)
	return ok && f.arguments.MatchString(text)
}

// joined are arguments with one space between them, where all are known and not too long to be looked at.
func joined(args []word) (string, bool) {
	size := len(args)
	texts := make([]string, 0, len(args))
	for _, a := range args {
		if size += len(a.text); !a.known || size > maxOneLiner {
			return "", false
		}
		texts = append(texts, a.text)
	}
	return strings.Join(texts, " "), true
}

// stays is the outcome of a program that stays in the foreground.
func (p *program) stays(name string, args []word) outcome {
	o := unfamiliar(name)
	if p.Serves != nil {
		o = p.Serves.outcome(name, args)
	}
	o.opens = p.Listens == nil
	o.status, o.stoppable = failure, p.Stays.Stoppable
	o.because = clause{subject: name, after: " " + p.Stays.Does}
	return o
}

func (f *foreground) validate() error {
	switch {
	case f == nil:
		return nil
	case f.Does == "":
		return errors.New("stays needs does")
	}
	for _, pattern := range f.Not {
		if len(strings.Fields(pattern)) == 0 {
			return errors.New("an argument of stays is empty")
		}
	}
	return nil
}
