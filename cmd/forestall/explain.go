package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/forestall/forestall/internal/builtin"
	"github.com/forestall/forestall/internal/explain"
	"github.com/forestall/forestall/internal/policy"
	"github.com/forestall/forestall/internal/report"
	"github.com/forestall/forestall/internal/similar"
)

// The ways to show a page.
const (
	fitting  = "auto" // text on a terminal, Markdown elsewhere
	asText   = "text"
	markdown = "markdown"
)

func (a app) explainCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "explain [RULE]",
		Short: "Tell why pods fail in the way that a rule predicts, and how to fix it",
		Long: `Explain shows the page of a rule: what will be seen, why it happens, how to fix it,
and how to configure the rule. Without a rule it lists them all.

On a terminal the page is laid out for it; elsewhere it is Markdown, as in docs/rules.`,
		Example: `  forestall explain command-exits

  # Laid out also for a pager
  forestall explain command-exits -o text | less`,
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: completeRules,
	}
	output := choose(c, "output", "o", "how to show the page", fitting, asText, markdown)
	c.RunE = func(c *cobra.Command, args []string) error {
		rules, err := catalogue(c.Context())
		switch {
		case err != nil:
			return err
		case len(args) == 0:
			return report.WriteRules(a.out, report.Rules(rules), report.Table, a.screen())
		case len(args) > 1:
			return usage(c, fmt.Errorf("explain takes one rule, and here are %d: %s", len(args), strings.Join(args, ", ")))
		}
		return a.explain(args[0], rules, output.value)
	}
	return c
}

func (a app) explain(id string, rules []policy.Rule, output string) error {
	i := slices.IndexFunc(rules, hasID(id))
	if i < 0 {
		return unknownRule(id, rules)
	}
	page, err := rulePage(rules[i])
	if err != nil {
		return err
	}
	_, onTerminal := terminalOf(a.out)
	if output == asText || output == fitting && onTerminal {
		page = a.screen().Markdown(page)
	}
	_, err = io.WriteString(a.out, page)
	return err
}

func hasID(id string) func(policy.Rule) bool {
	return func(r policy.Rule) bool { return r.ID == id }
}

func rulePage(r policy.Rule) (string, error) {
	written, err := builtin.Page(r.ID)
	if err != nil {
		return "", err
	}
	return explain.RulePage(r, written), nil
}

func unknownRule(id string, rules []policy.Rule) error {
	var ids []string
	for _, r := range rules {
		ids = append(ids, r.ID)
	}
	err := fmt.Errorf("there is no rule %q", id)
	if like := similar.Words(id, ids); len(like) > 0 {
		return fmt.Errorf("%w: did you mean %s?", err, similar.Either(like))
	}
	return fmt.Errorf("%w: 'forestall rules' lists them", err)
}

// catalogue returns all rules, sorted by id.
func catalogue(ctx context.Context) ([]policy.Rule, error) {
	engine, err := builtin.Engine(ctx)
	if err != nil {
		return nil, err
	}
	return engine.Rules(), nil
}

// completeRules offers the ids of the rules to the shell, with their titles.
func completeRules(c *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	rules, err := catalogue(c.Context())
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	var all []cobra.Completion
	for _, r := range rules {
		all = append(all, cobra.CompletionWithDesc(r.ID, r.Title))
	}
	return all, cobra.ShellCompDirectiveNoFileComp
}
