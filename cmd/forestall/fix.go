package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/builtin"
	"github.com/forestall/forestall/internal/review"
	"github.com/forestall/forestall/internal/terminal"
)

// fixOptions are the flags of fix.
type fixOptions struct {
	read          audit.Options
	config        *configFlags
	rules         *rulesFlags
	suggestions   bool
	diff, inPlace bool
}

func (a app) fixCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "fix FILE|DIR|-...",
		Short: "Repair the objects in files",
		Long: `Fix prints manifests with the repairs that rules offer. It changes the text and
nothing else in it: comments, quotes, indentation and line endings stay as they are.

A repair only adds what is missing, as the webhook does. It is proved: with it the
finding is gone and there is no new one. Some repairs need a value from the
configuration, such as the default limit of memory-limit-missing. Some rules suggest
to change what somebody wrote; --apply-suggestions makes these changes, too.

It reads what audit reads. Several files are printed as one stream with --- between
them. What cannot be repaired stays as it is, and audit tells about it. A link in a
folder is read, but --in-place writes nothing outside of the folder: to change what a
link leads to, name the link itself.

Exit code: 0 when it is done, 1 when --diff shows a difference, 2 when the command
line is wrong or something could not be read or written.`,
		Example: `  # See what would change
  forestall fix manifests/ --config forestall.yaml --diff

  # Change the files; the names of those that changed are printed
  forestall fix manifests/ --config forestall.yaml --in-place

  # Manifests that "kubectl apply -n shop" is to take
  forestall fix manifests/ -n shop --config forestall.yaml --in-place

  # In a pipeline
  helm template . | forestall fix -f - --config forestall.yaml | kubectl apply -f -

  # The changes that one rule suggests
  forestall fix pod.yaml --rule command-not-executable --apply-suggestions`,
	}
	in := reads(c)
	rendersNothing(c)
	o := fixOptions{config: in.config, rules: chooseRules(c)}
	flags := c.Flags()
	flags.BoolVar(&o.suggestions, "apply-suggestions", false, "change what somebody wrote, too, where a rule suggests it")
	flags.BoolVar(&o.diff, "diff", false, "print what would change, as a unified diff")
	flags.BoolVarP(&o.inPlace, "in-place", "i", false, "change the files and print their names")
	c.RunE = func(c *cobra.Command, args []string) error {
		o.read = in.options(args)
		return a.fix(c, o)
	}
	return c
}

func (a app) fix(c *cobra.Command, o fixOptions) error {
	switch {
	case o.inPlace && o.diff:
		return usage(c, errors.New("--diff shows what would change and --in-place changes it: choose one"))
	case o.inPlace && slices.Contains(o.read.Paths, "-"):
		return usage(c, errors.New("--in-place changes files, and standard input is none: leave it out to print the result"))
	}
	fixed, err := a.fixed(c, o)
	if err != nil {
		return err
	}
	unwritten, end := a.deliver(c, fixed.Files, o)
	a.tellFixed(fixed, unwritten)
	if len(fixed.Errors) > 0 && (end == nil || errors.Is(end, errFound)) {
		return errTold
	}
	return end
}

// fixed reads the files and repairs their text.
func (a app) fixed(c *cobra.Command, o fixOptions) (audit.Fixed, error) {
	cfg, err := a.configuration(c, o.config)
	if err != nil {
		return audit.Fixed{}, err
	}
	settings := cfg.AuditSettings()
	if err := o.rules.choose(c, &settings); err != nil {
		return audit.Fixed{}, err
	}
	p := a.startProgress()
	defer p.stop()
	o.read.Progress, o.read.Keep, o.read.Kinds = p.report, true, settings.Kinds
	set, err := a.load(c, o.read)
	if err != nil {
		return audit.Fixed{}, err
	}
	defer func() { _ = set.Close() }() // nothing is written to it any more
	r, err := builtin.Reviewer(c.Context(), settings, set.Cluster())
	if err != nil {
		return audit.Fixed{}, cfg.Locate(err)
	}
	// A person who asks wants the findings repaired that the webhook merely audits, too.
	fixed, err := set.Fix(c.Context(), r, review.Selection{Suggestions: o.suggestions, Audited: true})
	if err == nil {
		p.stop()
		a.tellUnsettled(set.Cluster().Unsettled())
	}
	return fixed, err
}

// tellFixed says what is not to be seen in the result. What was repaired in files that could not be
// written is lost.
func (a app) tellFixed(f audit.Fixed, unwritten []string) {
	for _, e := range f.Errors {
		a.complain(terminal.Printable(e.Error()))
	}
	for _, w := range f.Withheld {
		of := w.Object.Kind + "/" + w.Object.Name
		if w.Container != "" {
			of += ", " + w.Container
		}
		a.complain(terminal.Printable(fmt.Sprintf("%s: %s, %s: %v", w.Source, of, w.Rule, w.Err)))
	}
	var parts []string
	lost := 0
	for _, made := range f.Made {
		if slices.Contains(unwritten, made.Source.File) {
			lost++
		}
	}
	if made := len(f.Made) - lost; made > 0 {
		parts = append(parts, counted(made, "repair"))
	}
	if lost > 0 {
		parts = append(parts, counted(lost, "repair")+" lost, since "+counted(len(unwritten), "file")+" could not be written")
	}
	if f.Left > 0 {
		parts = append(parts, fmt.Sprintf("%s left, which 'forestall audit' explains", counted(f.Left, "finding")))
	}
	if f.Suggested > 0 {
		parts = append(parts, fmt.Sprintf("%s to make with --apply-suggestions", counted(f.Suggested, "suggested change")))
	}
	if len(parts) > 0 {
		a.complain(strings.Join(parts, "; "))
	}
}

// counted puts a number before a word.
func counted(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
