package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/forestall/forestall/internal/scaffold"
)

const rulesFolder = "policies/forestall/rules"

var errNoRepository = errors.New("there is no folder " + rulesFolder + " here: run this at the root of a clone of forestall's repository, " +
	"since rules are built into the program, or name the folder of the rules with --dir")

func (a app) newRuleCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "new-rule ID",
		Short: "Write the folder of a new rule",
		Long: `New-rule writes a folder with everything that a rule consists of: the rule in Rego
with its METADATA, its tests, its page and its test data. It passes all checks as
written, so that you can change one thing at a time. Nothing is overwritten.

Rules are built into forestall: run it in a clone of its repository. CONTRIBUTING.md
there tells what to do next.`,
		Example: `  forestall new-rule probe-port-unknown`,
		Args:    one("the id of the new rule"),
	}
	dir := c.Flags().String("dir", rulesFolder, "folder of the rules; it is made where it is missing")
	_ = c.MarkFlagDirname("dir")
	c.RunE = func(c *cobra.Command, args []string) error {
		if _, err := os.Stat(*dir); errors.Is(err, fs.ErrNotExist) && !c.Flags().Changed("dir") {
			return errNoRepository
		}
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
