package main

import (
	"github.com/spf13/cobra"
)

// helpCommand is cobra's, but that asking for what does not exist is a mistake.
func (a app) helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:     "help [COMMAND]",
		Short:   "Help about any command",
		Long:    `Help prints how a command is used, as COMMAND --help does.`,
		Example: `  forestall help audit`,
		RunE: func(_ *cobra.Command, args []string) error {
			about, rest, err := root.Find(args)
			switch {
			case err != nil:
				return err
			case len(rest) > 0:
				return a.group(about, rest)
			}
			about.InitDefaultHelpFlag()
			about.InitDefaultVersionFlag()
			return about.Help()
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			about, _, err := root.Find(args)
			var all []cobra.Completion
			if err == nil {
				for _, sub := range about.Commands() {
					if sub.IsAvailableCommand() {
						all = append(all, cobra.CompletionWithDesc(sub.Name(), sub.Short))
					}
				}
			}
			return all, cobra.ShellCompDirectiveNoFileComp
		},
	}
}
