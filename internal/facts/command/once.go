package command

import (
	"errors"
	"fmt"
	"regexp"
)

// once is work of a known program that is done when the program ends.
type once struct {
	Does      string `json:"does"`      // what it does, after its name
	Arguments string `json:"arguments"` // a pattern of the arguments with which it does so, one space between them
	ExitCode  *int   `json:"exitCode"`  // where there can be only one

	arguments *regexp.Regexp
}

// compileOnce makes the patterns ready.
func (p *program) compileOnce() error {
	for i := range p.Once {
		o := &p.Once[i]
		if o.Does == "" || o.Arguments == "" {
			return errors.New("once needs does and arguments")
		}
		pattern, err := regexp.Compile(`^(?:` + o.Arguments + `)$`)
		if err != nil {
			return fmt.Errorf("once: arguments: %w", err)
		}
		o.arguments = pattern
		if err := validExitCode("once: exitCode", o.ExitCode); err != nil {
			return err
		}
	}
	return nil
}

// doesOnce returns the work that these arguments give, or nil.
func (p *program) doesOnce(args []word) *once {
	text, ok := joined(args)
	if !ok {
		return nil
	}
	for i := range p.Once {
		if p.Once[i].arguments.MatchString(text) {
			return &p.Once[i]
		}
	}
	return nil
}

// once is the outcome of a program that does one thing and ends. It may install others.
func (r *run) once(p *program, name string, args []word) outcome {
	r.strange = true
	work := p.doesOnce(args)
	o := outcome{ways: falls, program: name, opens: p.Listens == nil, because: clause{subject: name, after: " " + work.Does}}
	if i := work.arguments.SubexpIndex("rejects"); i > 0 {
		text, _ := joined(args)
		o.rejects = work.arguments.FindStringSubmatch(text)[i]
	}
	if work.ExitCode != nil {
		o.status = exactly(*work.ExitCode)
	}
	return o
}
