package command

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
)

// validate reports what is missing or contradictory in a group of the table.
func (p *program) validate() error {
	switch {
	case len(p.Programs)+len(p.Paths)+len(p.Directories) == 0:
		return errors.New("programs is empty")
	case !strings.HasPrefix(p.Source, "https://"):
		return fmt.Errorf("source %q is not an https address", p.Source)
	}
	return errors.Join(
		p.validateBlocks(), p.validateNames(), p.Process.validate(p), p.Wraps.validate(), p.Shell.validate(),
		p.Serves.validate(), p.Stays.validate(), p.Detaches.validate(),
	)
}

// validateBlocks reports blocks that are missing or cannot stand side by side.
func (p *program) validateBlocks() error {
	kinds := p.kinds()
	switch {
	case len(kinds) == 0 && p.Listens == nil && p.Stays == nil && p.Once == nil:
		return errors.New("it needs one of process, wraps, shell, serves, stays, once, detaches and listens")
	case len(kinds) > 1 && !slices.Equal(kinds, []string{"process", "wraps"}):
		return fmt.Errorf("%s cannot stand side by side", strings.Join(kinds, " and "))
	case p.Listens != nil && (*p.Listens || len(kinds) > 0 && p.Process == nil || p.Wraps != nil):
		return errors.New("listens can only be false, and only for what runs nothing else")
	case p.Wraps != nil && p.Options == nil:
		return errors.New("a wrapper needs options, if only an empty list")
	}
	return nil
}

// kinds are the kinds of programs that a group says it holds.
func (p *program) kinds() []string {
	var kinds []string
	for _, block := range []struct {
		kind  string
		given bool
	}{
		{"process", p.Process != nil},
		{"wraps", p.Wraps != nil},
		{"shell", p.Shell != nil},
		{"serves or detaches", p.Serves != nil || p.Detaches != nil},
	} {
		if block.given {
			kinds = append(kinds, block.kind)
		}
	}
	return kinds
}

// validateNames reports what is wrong with the names, paths and options of a group.
func (p *program) validateNames() error {
	for _, name := range p.Programs {
		if name == "" || strings.Contains(name, "/") {
			return fmt.Errorf("%q is not the name of a program", name)
		}
	}
	for _, at := range slices.Concat(p.Paths, p.Directories) {
		if !path.IsAbs(at) || path.Clean(at) != at {
			return fmt.Errorf("path %q is not absolute and clean", at)
		}
	}
	for _, option := range p.Options {
		if err := validOption(option); err != nil {
			return err
		}
	}
	return nil
}

func validOption(option string) error {
	name := strings.TrimSuffix(option, "=")
	if len(name) < 2 || name[0] != '-' || name == "--" || strings.ContainsAny(name, "= ") {
		return fmt.Errorf("option %q is not of the form -x, --long, -x= or --long=", option)
	}
	return nil
}

func (b *process) validate(p *program) error {
	if b == nil {
		return nil
	}
	if err := b.validateOne(p); err != nil {
		return err
	}
	if b.Statement != "" {
		return errors.New("statement can only stand in when")
	}
	for i := range b.When {
		if err := b.When[i].validate(p); err != nil {
			return err
		}
	}
	return nil
}

func (w *when) validate(p *program) error {
	if len(w.When) > 0 {
		return errors.New("when cannot hold another when")
	}
	takesValue := false
	for _, name := range w.Given {
		takesValue = takesValue || slices.Contains(p.Options, name+"=")
		if !slices.Contains(p.Options, name) && !slices.Contains(p.Options, name+"=") {
			return fmt.Errorf("when: %q is not one of the options", name)
		}
	}
	if w.Statement != "" && !takesValue {
		return errors.New("statement needs an option with a value")
	}
	if err := w.validateOne(p); err != nil {
		return fmt.Errorf("when %s: %w", strings.Join(w.Given, ", "), err)
	}
	return nil
}

func (b *process) validateOne(p *program) error {
	switch {
	case b.Signals, b.Ends == nil && len(b.When) > 0:
		return nil
	case b.Ends == nil:
		return errors.New("ends is not given")
	case b.Does == "":
		return errors.New("does is not given")
	}
	for _, name := range b.Timeout {
		if !slices.Contains(p.Options, name+"=") {
			return fmt.Errorf("timeout: %q is not one of the options with a value", name)
		}
	}
	return errors.Join(
		b.validateReading(p.Options != nil),
		validExitCode("exitCode", b.ExitCode), validExitCode("bareExitCode", b.BareExitCode),
	)
}

// validateReading reports what is wrong with what a process reads: its standard
// input and its operands. To tell operands from options, the options must be listed.
func (b *process) validateReading(listed bool) error {
	switch {
	case !slices.Contains([]string{"", stdinData, stdinProgram}, b.Stdin):
		return fmt.Errorf("stdin %q is not %s or %s", b.Stdin, stdinData, stdinProgram)
	case !slices.Contains([]string{"", operandsNone, operandsOpened, operandsCopied, operandsDurations, operandsIntegers, operandsTest}, b.Operands):
		return fmt.Errorf("operands %q is not known", b.Operands)
	case !listed && b.Operands != "" && b.Operands != operandsTest:
		return fmt.Errorf("operands %q needs options, if only an empty list", b.Operands)
	case !listed && b.Stdin == stdinProgram:
		return fmt.Errorf("stdin %q needs options, if only an empty list", b.Stdin)
	case len(b.Files) > 0 && b.Operands != operandsOpened:
		return fmt.Errorf("files needs operands %q", operandsOpened)
	}
	return nil
}

func (w *wraps) validate() error {
	switch {
	case w == nil:
		return nil
	case w.Skip < 0:
		return fmt.Errorf("skip %d is negative", w.Skip)
	case w.Limit && (w.Skip != 0 || w.Assignments):
		return errors.New("limit cannot stand with skip or assignments")
	}
	return nil
}

func (s *shell) validate() error {
	if s != nil && s.Language != languagePOSIX && s.Language != languageBash {
		return fmt.Errorf("language %q is not %s or %s", s.Language, languagePOSIX, languageBash)
	}
	return nil
}

func (s *serves) validate() error {
	switch {
	case s == nil:
		return nil
	case s.Port < 0 || s.Port > 65535:
		return fmt.Errorf("port %d is not between 1 and 65535", s.Port)
	}
	for _, option := range slices.Concat(s.PortOptions, s.Not) {
		if err := validOption(option); err != nil {
			return err
		}
	}
	return nil
}

func validExitCode(field string, code *int) error {
	if code != nil && (*code < 0 || *code > 255) {
		return fmt.Errorf("%s %d is not between 0 and 255", field, *code)
	}
	return nil
}
