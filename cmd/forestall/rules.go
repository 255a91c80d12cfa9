package main

import (
	"github.com/spf13/cobra"

	"github.com/forestall/forestall/internal/report"
)

func (a app) rulesCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "rules",
		Short: "List the rules",
		Long: `Rules lists every rule with its default level, how certain its prediction is, and
the failure that it predicts.`,
		Example: `  forestall rules
  forestall rules -o json`,
		Args: noArgs("to read about a rule, write: forestall explain %s"),
	}
	output := outputFlag(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		rules, err := catalogue(c.Context())
		if err != nil {
			return err
		}
		return report.WriteRules(a.out, report.Rules(rules), report.Format(output.value), a.screen())
	}
	return c
}
