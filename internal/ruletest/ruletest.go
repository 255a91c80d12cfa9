// Package ruletest checks that a rule's folder keeps what every rule promises: the
// files are there, each failing manifest is found with the text of its golden
// file, each passing manifest is left in peace, each patched manifest is what the
// repairs make of the failing one, and each suggested manifest what the suggestions do.
package ruletest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/builtin"
	"github.com/forestall/forestall/internal/config"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/review"
)

// Options say what is checked.
type Options struct {
	// Policies is the folder with the rules, such as policies.
	Policies string
	// Rule is the id of the rule.
	Rule string
	// Rules are those of Policies where somebody has compiled them; without, Check does.
	Rules *builtin.Rules
	// Update rewrites golden and patched files instead of comparing with them.
	Update bool
}

// files are what a folder must and may hold.
func files() (required, allowed []string) {
	required = []string{"rule.rego", "rule_test.rego", "rule.md", "testdata/fail-*.yaml", "testdata/fail-*.golden", "testdata/pass-*.yaml", "testdata/proof.yaml"}
	return required, append(required, "testdata/fail-*.patched.yaml", "testdata/fail-*.suggested.yaml", "testdata/config.yaml",
		// Manifests that only make sense where they run: with images of the lab, and
		// with neighbours to harm.
		"testdata/proof-*.yaml")
}

// Check returns everything that is wrong with the folder of one rule.
func Check(ctx context.Context, o Options) error {
	c := checker{options: o, folder: filepath.Join(o.Policies, "forestall", "rules", o.Rule)}
	names, err := c.list()
	if err != nil {
		return err
	}
	if c.options.Rules == nil {
		if c.options.Rules, err = builtin.RulesOf(ctx, os.DirFS(o.Policies)); err != nil {
			return errors.Join(append(checkNames(names), err)...)
		}
	}
	errs := c.checkCases(ctx, names)
	if o.Update { // golden files may have come into being
		if names, err = c.list(); err != nil {
			return err
		}
	}
	errs = append(errs, checkNames(names)...)
	return errors.Join(errs...)
}

type checker struct {
	options Options
	folder  string
}

func (c checker) list() ([]string, error) {
	var names []string
	err := fs.WalkDir(os.DirFS(c.folder), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("listing rule %s: %w", c.options.Rule, err)
	}
	return names, nil
}

func checkNames(names []string) []error {
	required, allowed := files()
	var errs []error
	for _, pattern := range required {
		if !slices.ContainsFunc(names, func(n string) bool { return matches(pattern, n) }) {
			errs = append(errs, fmt.Errorf("%s is missing", pattern))
		}
	}
	for _, n := range names {
		if !slices.ContainsFunc(allowed, func(p string) bool { return matches(p, n) }) {
			errs = append(errs, fmt.Errorf("%s has no place in a rule's folder", n))
		}
	}
	return errs
}

func matches(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return err == nil && ok
}

// checkCases tries every manifest of the folder.
func (c checker) checkCases(ctx context.Context, names []string) []error {
	var errs []error
	for _, n := range names {
		var err error
		switch {
		case matches("testdata/fail-*.patched.yaml", n), matches("testdata/fail-*.suggested.yaml", n):
			continue
		case matches("testdata/fail-*.yaml", n):
			err = c.checkFail(ctx, n)
		case matches("testdata/pass-*.yaml", n):
			err = c.checkPass(ctx, n)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", n, err))
		}
	}
	return errs
}

// checkFail wants this rule, and no other, to speak, in the words of the golden file.
func (c checker) checkFail(ctx context.Context, name string) error {
	result, err := c.audit(ctx, name, review.Settings{})
	if err != nil {
		return err
	}
	if len(result.Findings) == 0 {
		return errors.New("the rule finds nothing")
	}
	for _, f := range result.Findings {
		if f.Rule != c.options.Rule {
			return fmt.Errorf("rule %s speaks too, at %s: a manifest shows one problem", f.Rule, f.Path)
		}
	}
	base := strings.TrimSuffix(name, ".yaml")
	if err := c.compare(base+".golden", golden(result)); err != nil {
		return err
	}
	if err := c.checkPatched(ctx, name, base+".patched.yaml"); err != nil {
		return err
	}
	suggests := slices.ContainsFunc(result.Findings, func(f finding.Finding) bool { return len(f.Suggestions) > 0 })
	if !suggests {
		return c.absent(base + ".suggested.yaml")
	}
	return c.checkSuggested(ctx, name, base+".suggested.yaml")
}

func (c checker) checkPass(ctx context.Context, name string) error {
	result, err := c.audit(ctx, name, review.Settings{})
	if err != nil {
		return err
	}
	for _, f := range result.Findings {
		return fmt.Errorf("line %d: rule %s speaks: %s", f.Source.Line, f.Rule, f.Reason)
	}
	if result.Judged == 0 {
		return errors.New("nothing in it is judged")
	}
	return nil
}

// audit reads a manifest as `forestall audit` does.
func (c checker) audit(ctx context.Context, name string, s review.Settings) (audit.Result, error) {
	set, reviewer, err := c.load(ctx, name, s)
	if err != nil {
		return audit.Result{}, err
	}
	result, err := set.Review(ctx, reviewer)
	if err != nil {
		return audit.Result{}, err
	}
	if len(result.Errors) > 0 {
		return audit.Result{}, result.Errors[0]
	}
	return result, nil
}

func (c checker) load(ctx context.Context, name string, s review.Settings) (*audit.Set, *review.Reviewer, error) {
	set, err := audit.Load(ctx, audit.Options{Paths: []string{filepath.Join(c.folder, filepath.FromSlash(name))}, Keep: true, Complete: true})
	if err != nil {
		return nil, nil, err
	}
	reviewer, err := c.options.Rules.Reviewer(s, set.Cluster())
	if err != nil {
		return nil, nil, err
	}
	return set, reviewer, nil
}

// settings are those of testdata/config.yaml, where there is one.
func (c checker) settings() (review.Settings, error) {
	file := filepath.Join(c.folder, "testdata", "config.yaml")
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		return review.Settings{}, nil
	}
	conf, err := config.Load(file)
	return conf.Settings(), err
}
