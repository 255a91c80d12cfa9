package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/forestall/forestall/internal/scaffold"
)

func (a app) newRuleCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "new-rule ID",
		Short: "Write the folder of a new rule",
		Long: `New-rule writes a folder with everything that a rule consists of: the rule in Rego
with its METADATA, its tests, its page and its test data. It passes all checks as
written, so that you can change one thing at a time. Nothing is overwritten.`,
		Example: `  forestall new-rule probe-port-unknown`,
		Args:    one("the id of the new rule"),
	}
	dir := c.Flags().String("dir", "policies/forestall/rules", "folder of the rules")
	_ = c.MarkFlagDirname("dir")
	c.RunE = func(_ *cobra.Command, args []string) error {
		files, err := scaffold.New(*dir, args[0])
		if err != nil {
			return fmt.Errorf("writing a new rule: %w", err)
		}
		_, err = io.WriteString(a.out, strings.Join(files, "\n")+"\n")
		return err
	}
	c.ValidArgsFunction = cobra.NoFileCompletions
	return c
}
