package main

import (
	"cmp"
	"fmt"

	"github.com/spf13/cobra"
	"sigs.k8s.io/yaml"

	"github.com/forestall/forestall/internal/builtin"
	"github.com/forestall/forestall/internal/config"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/policy"
	"github.com/forestall/forestall/internal/review"
)

func (a app) configCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "config",
		Short: "Check a configuration file, or print what is in force",
		Long: `Config is about the one configuration file, which the webhook (--config) and audits
(audit --config) share.`,
		Example: `  forestall config check forestall.yaml
  forestall config print`,
		Args: cobra.ArbitraryArgs,
		RunE: a.group,

		SuggestionsMinimumDistance: 2,
	}
	c.AddCommand(a.configCheckCommand(), a.configPrintCommand())
	return c
}

func (a app) configCheckCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "check FILE",
		Short: "Say what is wrong with a configuration file, with the lines",
		Long: `Check reads a configuration file as the webhook does, and says everything that is wrong
with it at once, each with its line: fields and words that do not exist, values of another
type, what is set twice, rules and parameters that no rule has. Exit code: 0 when it can be used, 2 when it cannot.`,
		Example: `  forestall config check forestall.yaml`,
		Args:    one("the configuration file"),
		RunE: func(c *cobra.Command, args []string) error {
			if _, _, err := settled(c, args[0]); err != nil {
				return err
			}
			_, err := fmt.Fprintf(a.out, "%s can be used\n", args[0])
			return err
		},
	}
}

func (a app) configPrintCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "print",
		Short: "Print the whole configuration in force: the file with all defaults",
		Long: `Print shows every setting with the value that is in force, the defaults of rules and
of their parameters among them. What it prints is a configuration file.`,
		Example: `  forestall config print
  forestall config print --config forestall.yaml`,
		Args: noArgs("to print what a file comes to, write: forestall config print --config %s"),
	}
	path := configFlag(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		file, err := a.configFile(c, path)
		if err != nil {
			return err
		}
		cfg, engine, err := settled(c, file)
		if err != nil {
			return err
		}
		text, err := yaml.Marshal(withDefaults(cfg, engine.Rules()))
		if err != nil {
			return fmt.Errorf("writing the configuration: %w", err)
		}
		_, err = a.out.Write(text)
		return err
	}
	return c
}

// settled reads a configuration and holds it against the rules. It says everything that is wrong.
func settled(c *cobra.Command, path string) (config.Configuration, *policy.Engine, error) {
	cfg, wrong := config.Load(path)
	engine, err := builtin.Engine(c.Context())
	if err != nil {
		return cfg, nil, err
	}
	_, unfit := review.New(review.Options{Engine: engine, Settings: cfg.Settings()})
	return cfg, engine, config.InOrder(wrong, cfg.Locate(unfit))
}

// withDefaults writes out what a configuration leaves to defaults.
func withDefaults(cfg config.Configuration, rules []policy.Rule) config.Configuration {
	cfg.APIVersion, cfg.Kind = config.APIVersion, config.Kind
	if cfg.Mode == "" {
		cfg.Mode = finding.Deny
	}
	if cfg.FailureMode == "" {
		cfg.FailureMode = config.Ignore
	}
	cfg.IgnoreAnnotations = cmp.Or(cfg.IgnoreAnnotations, config.InAudits)
	all := make(map[string]config.Rule, len(rules))
	for _, rule := range rules {
		set := cfg.Rules[rule.ID]
		if set.Level == "" {
			set.Level = rule.Level
		}
		params := map[string]any{}
		for name, p := range rule.Params {
			params[name] = p.Default
			if v, ok := set.Params[name]; ok {
				params[name] = v
			}
		}
		set.Params = params
		all[rule.ID] = set
	}
	cfg.Rules = all
	cfg.Kinds = cfg.CompletedKinds()
	return cfg
}
