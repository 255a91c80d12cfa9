package main

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/forestall/forestall/internal/review"
)

// rulesFlags choose rules.
type rulesFlags struct{ only, except []string }

func chooseRules(c *cobra.Command) *rulesFlags {
	f := &rulesFlags{}
	c.Flags().StringArrayVar(&f.only, "rule", nil, "look at the findings of this rule alone; repeatable")
	c.Flags().StringArrayVar(&f.except, "exclude", nil, "leave the findings of this rule out; repeatable")
	for _, name := range []string{"rule", "exclude"} {
		_ = c.RegisterFlagCompletionFunc(name, func(c *cobra.Command, _ []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return completeRules(c, nil, word)
		})
	}
	return f
}

// choose puts the chosen rules into the settings. Ids that no rule has are mistakes.
func (f *rulesFlags) choose(c *cobra.Command, s *review.Settings) error {
	ids := slices.Concat(f.only, f.except)
	if len(ids) == 0 {
		return nil
	}
	rules, err := catalogue(c.Context())
	if err != nil {
		return err
	}
	for _, id := range ids {
		if !slices.ContainsFunc(rules, hasID(id)) {
			return usage(c, unknownRule(id, rules))
		}
	}
	s.Only, s.Except = f.only, f.except
	return nil
}

// chosen reports whether the findings of a rule are looked at.
func (f *rulesFlags) chosen(rule string) bool {
	return (len(f.only) == 0 || slices.Contains(f.only, rule)) && !slices.Contains(f.except, rule)
}
