package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/forestall/forestall/internal/terminal"
)

// Exit codes. Whoever reads them in a pipeline can tell a finding from a mistake.
const (
	exitClean       = 0
	exitFound       = 1 // something was found that is to fail the run
	exitError       = 2 // the command line or the input is wrong
	exitInterrupted = 130
	exitBrokenPipe  = 141
)

var (
	errInterrupted = errors.New("interrupted")
	// errFound ends a command that has told what it found.
	errFound = errors.New("found something")
	// errTold ends a command that has told what is wrong.
	errTold = errors.New("something is wrong with the input")
)

// partialError ends a command that was interrupted when a part of its work was done, and
// tells which.
type partialError struct{ text string }

func (e partialError) Error() string { return e.text }

// usageError is a mistake in the command line.
type usageError struct {
	err     error
	command string
}

func (e usageError) Error() string {
	return fmt.Sprintf("%s\nRun '%s --help' for usage.", strings.TrimSpace(e.err.Error()), e.command)
}

func (e usageError) Unwrap() error { return e.err }

func usage(c *cobra.Command, err error) error {
	return usageError{err: err, command: c.CommandPath()}
}

// conclude tells how a command ended and returns the exit code.
func (s streams) conclude(err error) int {
	switch {
	case err == nil:
		return exitClean
	case errors.Is(err, errFound):
		return exitFound
	case errors.Is(err, errTold):
		return exitError
	case errors.Is(err, syscall.EPIPE): // as with "| head": nobody wants the rest
		return exitBrokenPipe
	case errors.As(err, new(partialError)):
		s.complain(err.Error())
		return exitInterrupted
	case errors.Is(err, errInterrupted), errors.Is(err, context.Canceled):
		s.complain("interrupted: there is no result")
		return exitInterrupted
	default:
		s.complain(err.Error())
		return exitError
	}
}

// note tells what is worth knowing and no mistake.
func (s streams) note(message string) {
	if !s.quiet {
		s.complain(message)
	}
}

// complain writes to stderr. Messages quote names from files, which must not
// reach the terminal as escape sequences.
func (s streams) complain(message string) {
	var b strings.Builder
	for line := range strings.SplitSeq("forestall: "+message, "\n") {
		b.WriteString(terminal.Printable(line) + "\n")
	}
	_, _ = io.WriteString(s.err, s.wrapped(b.String())) // there is no other place to tell it
}
