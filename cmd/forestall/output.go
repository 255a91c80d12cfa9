package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/policy"
	"github.com/forestall/forestall/internal/report"
	"github.com/forestall/forestall/internal/terminal"
)

// output is one report that is asked for.
type output struct {
	format report.Format
	// file is where it goes; empty for standard output.
	file string
}

// outputs is the value of -o FORMAT[=FILE], which may be given several times.
type outputs struct {
	all []output
}

// String returns what was asked for.
func (o *outputs) String() string {
	var all []string
	for _, one := range o.all {
		if one.file != "" {
			all = append(all, string(one.format)+"="+one.file)
			continue
		}
		all = append(all, string(one.format))
	}
	return strings.Join(all, ",")
}

// Type shows in the help what is to be written.
func (o *outputs) Type() string { return "FORMAT[=FILE]" }

// Set takes one report more. Of those for standard output the last counts, as with other flags.
func (o *outputs) Set(text string) error {
	name, file, named := strings.Cut(text, "=")
	format := report.Format(name)
	if !slices.Contains(report.AuditFormats(), format) {
		return fmt.Errorf("it is one of %s", joined(report.AuditFormats()))
	}
	switch {
	case named && file == "":
		return errors.New("the name of the file is missing")
	case file == "-" || file == "/dev/stdout":
		file = ""
	case file != "" && slices.ContainsFunc(o.all, func(one output) bool { return one.file == file }):
		return errors.New("another report goes to this file")
	}
	o.all = slices.DeleteFunc(o.all, func(one output) bool { return one.file == file })
	o.all = append(o.all, output{format: format, file: file})
	return nil
}

func joined(formats []report.Format) string {
	var all []string
	for _, f := range formats {
		all = append(all, string(f))
	}
	return strings.Join(all, ", ")
}

// asked returns the reports that are asked for; the table where none is.
func (o *outputs) asked() []output {
	if len(o.all) == 0 {
		return []output{{format: report.Table}}
	}
	return o.all
}

// showsPatches reports whether a report needs the patches of findings.
func (o *outputs) showsPatches() bool {
	return slices.ContainsFunc(o.asked(), func(one output) bool { return one.format.ShowsPatches() })
}

// auditOutputs adds -o for audits.
func auditOutputs(c *cobra.Command) *outputs {
	o := &outputs{}
	c.Flags().VarP(o, "output", "o", "how to show the result, and the file for it: "+joined(report.AuditFormats())+"; repeatable")
	var words []string
	for _, f := range report.AuditFormats() {
		words = append(words, string(f))
	}
	complete(c, "output", words...)
	return o
}

// written are the sinks of a run, and the files that they write.
type written struct {
	audit.Sink
	files []*replacement
	// baseline and diff compare with an earlier report, where one was named.
	baseline *report.Baseline
	diff     *report.Differing
}

// keep makes the files what the reports have become. It is called once the run has ended well, and either all are replaced or
// none, as far as that is in its power: a command that is interrupted now does not end between two of them.
func (a app) keep(ctx context.Context, w *written) error {
	return a.whole(ctx, func() error {
		var all []error
		for _, f := range w.files {
			all = append(all, f.keep())
		}
		return errors.Join(all...)
	})
}

// drop leaves the files as they were, unless keep was called.
func (w *written) drop() {
	for _, f := range w.files {
		f.drop()
	}
}

// sinks opens the reports that are asked for.
func (a app) sinks(o auditOptions, rules []policy.Rule, p *progress) (*written, error) {
	w := &written{}
	var sinks []audit.Sink
	if o.talk.quiet {
		sinks = append(sinks, errorsOnly{a.streams})
	}
	for _, one := range o.outputs.asked() {
		if one.file == "" && o.talk.quiet {
			continue
		}
		to, err := a.destination(w, one, p)
		if err != nil {
			w.drop()
			return nil, err
		}
		options := report.Options{
			Screen: a.screenOf(one), Rules: rules, Version: thisVersion().Version, Now: time.Now(), Page: rulePage,
			FailOn: finding.Level(o.failOn.value), FailNone: o.failOn.value == never,
		}
		sink, err := o.show(to, one.format, options)
		if err != nil {
			w.drop()
			return nil, err
		}
		w.diff, _ = sink.(*report.Differing)
		sinks = append(sinks, sink)
	}
	w.Sink = audit.AtLeast(finding.Level(o.minLevel.value), audit.Tee(sinks...))
	if o.earlier.baseline == "" {
		return w, nil
	}
	earlier, err := o.readEarlier(o.earlier.baseline)
	if err != nil {
		w.drop()
		return nil, err
	}
	w.baseline = report.Since(earlier, w.Sink)
	w.Sink = w.baseline
	return w, nil
}

// screenOf describes the place of one report. A file has no colours, and is read on any screen.
func (a app) screenOf(one output) terminal.Screen {
	if one.file != "" {
		return terminal.Screen{Width: widest}
	}
	return a.screen()
}

// destination opens the place that one report goes to.
func (a app) destination(w *written, one output, p *progress) (io.Writer, error) {
	if one.file == "" {
		return a.after(p), nil
	}
	f, err := replaceLater(one.file)
	if err != nil {
		return nil, fmt.Errorf("writing the report: %w", err)
	}
	w.files = append(w.files, f)
	return f, nil
}
