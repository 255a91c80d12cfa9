package main

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/forestall/forestall/internal/builtin"
	"github.com/forestall/forestall/internal/explain"
	"github.com/forestall/forestall/internal/policy"
	"github.com/forestall/forestall/internal/similar"
)

func (a app) explainCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "explain RULE",
		Short: "Tell why pods fail in the way that a rule predicts, and how to fix it",
		Long: `Explain prints the page of a rule, in Markdown: what will be seen, why it happens,
how to fix it, and how to configure the rule.`,
		Example: `  forestall explain command-exits`,
		Args:    one("the id of a rule"),
		RunE: func(c *cobra.Command, args []string) error {
			rules, err := catalogue(c.Context())
			if err != nil {
				return err
			}
			i := slices.IndexFunc(rules, hasID(args[0]))
			if i < 0 {
				return unknownRule(args[0], rules)
			}
			page, err := rulePage(rules[i])
			if err != nil {
				return err
			}
			_, err = io.WriteString(a.out, page)
			return err
		},
		ValidArgsFunction: completeRules,
	}
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
