package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/finding"
)

// talk says how much an audit tells beside its reports.
type talk struct{ quiet, verbose bool }

func talks(c *cobra.Command) *talk {
	t := &talk{}
	c.Flags().BoolVarP(&t.quiet, "quiet", "q", false, "print nothing but errors, for the exit code alone; reports to files are written")
	c.Flags().BoolVarP(&t.verbose, "verbose", "v", false, "tell on stderr what was read, judged and written, and how long it took")
	return t
}

func (t *talk) check(c *cobra.Command) error {
	if t.quiet && t.verbose {
		return usage(c, errors.New("--quiet and --verbose: choose one"))
	}
	return nil
}

// errorsOnly is a sink that tells errors on stderr, in the place of the report on standard output.
type errorsOnly struct{ to streams }

func (errorsOnly) Found(finding.Finding) error        { return nil }
func (errorsOnly) FoundIgnored(finding.Ignored) error { return nil }
func (errorsOnly) FoundTrouble(finding.Trouble) error { return nil }
func (errorsOnly) Warned(audit.Warning) error         { return nil }
func (errorsOnly) Done(audit.Summary) error           { return nil }

// Failed tells an error.
func (e errorsOnly) Failed(err audit.Error) error {
	e.to.complain(err.Error())
	return nil
}

// stopwatch tells what an audit has done, if somebody wants to know.
type stopwatch struct {
	to    streams
	on    bool
	began time.Time
}

func (t *talk) stopwatch(to streams) *stopwatch {
	return &stopwatch{to: to, on: t.verbose, began: time.Now()}
}

// lap tells what was done since the last time.
func (s *stopwatch) lap(done string) {
	if s.on {
		s.to.complain(fmt.Sprintf("%s in %s", done, roundly(time.Since(s.began))))
	}
	s.began = time.Now()
}

// roundly leaves out digits that nobody reads.
func roundly(d time.Duration) time.Duration {
	if d >= time.Second {
		return d.Round(10 * time.Millisecond)
	}
	return d.Round(time.Millisecond)
}

// written tells of the files.
func (s *stopwatch) written(w *written) {
	for _, f := range w.files {
		if s.on && f.name != "" {
			s.to.complain("wrote " + finding.Quote(f.name))
		}
	}
}

// amount is how much was read.
func amount(s audit.Summary) string {
	objects := counted(s.Objects, "object")
	if s.Files == 0 {
		return objects
	}
	return counted(s.Files, "file") + " with " + objects
}
