package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/forestall/forestall/internal/similar"
)

// app is what the commands share.
type app struct{ streams }

func newRoot(s streams) *cobra.Command {
	a := app{s}
	root := &cobra.Command{
		Use:   "forestall",
		Short: "Predict which Kubernetes pods would fail, and say why",
		Long: `Forestall predicts which Kubernetes pods would fail, before they start, and says why.

Every rule is a prediction: the failure as kubectl would show it, the evidence in
the object, and the fix.`,
		Example: `  # Judge everything in a folder
  forestall audit manifests/

  # What is behind a finding
  forestall explain command-exits`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Version:       thisVersion().String(),
		Args:          cobra.ArbitraryArgs,
		RunE:          a.group,

		SuggestionsMinimumDistance: 2,
	}
	root.SetHelpCommand(a.helpCommand(root))
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	root.SetFlagErrorFunc(usage)
	root.AddCommand(
		a.auditCommand(), a.whyCommand(), a.fixCommand(), a.explainCommand(), a.rulesCommand(), a.factsCommand(), a.redactCommand(), a.configCommand(),
		a.newRuleCommand(), a.docsCommand(), a.versionCommand(),
	)
	rename(root, s.name)
	return root
}

// group runs where no command of a group is named, or one that does not exist.
func (a app) group(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return c.Help()
	}
	path := strings.Fields(strings.TrimPrefix(c.CommandPath(), c.Root().DisplayName()))
	err := fmt.Errorf("there is no command %q", strings.Join(append(path, args[0]), " "))
	if like := c.SuggestionsFor(args[0]); len(like) > 0 {
		err = fmt.Errorf("%w: did you mean %s?", err, similar.Either(like))
	}
	return usage(c, err)
}

// noArgs is for commands that take flags alone; hint says what to write instead.
func noArgs(hint string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		err := fmt.Errorf("%s does not take the argument %q", c.Name(), args[0])
		if hint != "" {
			err = errors.Join(err, fmt.Errorf(hint, args[0]))
		}
		return usage(c, err)
	}
}

// one is for commands that take a single argument.
func one(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) == 1 {
			return nil
		}
		return usage(c, fmt.Errorf("%s takes exactly one argument, %s", c.Name(), what))
	}
}
