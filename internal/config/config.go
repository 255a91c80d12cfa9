// Package config holds the one configuration file: its types, defaults and checks.
package config

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"

	"sigs.k8s.io/yaml"

	"github.com/forestall/forestall/internal/policy"
	"github.com/forestall/forestall/internal/review"
)

// The version and kind that a configuration file names.
const (
	APIVersion = "forestall.dev/v1alpha1"
	Kind       = "Configuration"
)

// Configuration is the content of the file. The zero value leaves all to the rules.
type Configuration struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	// Mode caps the level of all rules: deny (no cap), warn, audit or off.
	Mode policy.Level `json:"mode,omitempty"`
	// Rules are settings by rule id.
	Rules map[string]Rule `json:"rules,omitempty"`
}

// Rule is what can be set for one rule.
type Rule struct {
	// Level replaces the default level of the rule.
	Level policy.Level `json:"level,omitempty"`
	// Params replaces defaults of its parameters.
	Params map[string]any `json:"params,omitempty"`
}

// Load reads the file at path; an empty path is the zero Configuration.
func Load(path string) (Configuration, error) {
	if path == "" {
		return Configuration{}, nil
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return Configuration{}, fmt.Errorf("reading the configuration: %w", err)
	}
	c, err := Parse(raw)
	if err != nil {
		return Configuration{}, fmt.Errorf("%s: %w", path, err)
	}
	return c, nil
}

// Parse reads a configuration. Unknown fields and unknown levels are errors.
func Parse(raw []byte) (Configuration, error) {
	var c Configuration
	if err := yaml.UnmarshalStrict(raw, &c); err != nil {
		return Configuration{}, fmt.Errorf("decoding the configuration: %w", err)
	}
	return c, c.validate()
}

func (c Configuration) validate() error {
	var errs []error
	if c.APIVersion != APIVersion || c.Kind != Kind {
		errs = append(errs, fmt.Errorf("apiVersion and kind are %q and %q: they must be %q and %q", c.APIVersion, c.Kind, APIVersion, Kind))
	}
	if c.Mode != "" {
		if _, err := policy.ParseLevel(string(c.Mode)); err != nil {
			errs = append(errs, fmt.Errorf("mode: %w", err))
		}
	}
	for _, id := range slices.Sorted(maps.Keys(c.Rules)) {
		if l := c.Rules[id].Level; l != "" {
			if _, err := policy.ParseLevel(string(l)); err != nil {
				errs = append(errs, fmt.Errorf("rules.%s.level: %w", id, err))
			}
		}
	}
	return errors.Join(errs...)
}

// Settings returns the configuration as a Reviewer takes it.
func (c Configuration) Settings() review.Settings {
	s := review.Settings{
		Mode:   c.Mode,
		Levels: make(map[string]policy.Level, len(c.Rules)),
		Params: make(map[string]map[string]any, len(c.Rules)),
	}
	for id, r := range c.Rules {
		if r.Level != "" {
			s.Levels[id] = r.Level
		}
		if len(r.Params) > 0 {
			s.Params[id] = r.Params
		}
	}
	return s
}
