// Package builtin puts the embedded rules and data together into a Reviewer, the
// same for the webhook and the command line.
package builtin

import (
	"context"
	"fmt"
	"io/fs"

	"github.com/forestall/forestall/internal/cluster"
	"github.com/forestall/forestall/internal/facts"
	"github.com/forestall/forestall/internal/facts/command"
	"github.com/forestall/forestall/internal/facts/memory"
	"github.com/forestall/forestall/internal/policy"
	"github.com/forestall/forestall/internal/review"
	"github.com/forestall/forestall/policies"
)

// Engine compiles the embedded rules.
func Engine(ctx context.Context) (*policy.Engine, error) {
	return policy.Load(ctx, policies.FS)
}

// Reviewer returns a Reviewer with the embedded rules and data. It keeps no findings, since it is
// for objects that come once.
func Reviewer(ctx context.Context, settings review.Settings, store *cluster.Store) (*review.Reviewer, error) {
	rules, err := RulesOf(ctx, policies.FS)
	if err != nil {
		return nil, err
	}
	return rules.Reviewer(settings, store)
}

// Reviewers returns a function that makes Reviewers from settings. They share the embedded rules,
// which are compiled once, their data and the cache: only settings change while a process runs.
func Reviewers(ctx context.Context, store *cluster.Store, cache *review.Cache) (func(review.Settings) (*review.Reviewer, error), error) {
	rules, err := RulesOf(ctx, policies.FS)
	if err != nil {
		return nil, err
	}
	return rules.Reviewers(store, cache), nil
}

// Rules are compiled rules with their data.
type Rules struct {
	engine *policy.Engine
	known  facts.Knowledge
}

// RulesOf compiles the rules of fsys, which has the form of the folder policies.
func RulesOf(ctx context.Context, fsys fs.FS) (*Rules, error) {
	engine, err := policy.Load(ctx, fsys)
	if err != nil {
		return nil, err
	}
	known, err := knowledge(fsys)
	return &Rules{engine: engine, known: known}, err
}

// Reviewer returns a Reviewer that asks these rules, and keeps no findings.
func (r *Rules) Reviewer(settings review.Settings, store *cluster.Store) (*review.Reviewer, error) {
	return r.Reviewers(store, nil)(settings)
}

// Reviewers returns a function that makes Reviewers of these rules, which share the cache.
func (r *Rules) Reviewers(store *cluster.Store, cache *review.Cache) func(review.Settings) (*review.Reviewer, error) {
	return func(settings review.Settings) (*review.Reviewer, error) {
		return review.New(review.Options{Engine: r.engine, Known: r.known, Cluster: store, Settings: settings, Cache: cache})
	}
}

func knowledge(fsys fs.FS) (facts.Knowledge, error) {
	programs, err := table(fsys, policies.ProgramsFile, command.ParsePrograms)
	if err != nil {
		return facts.Knowledge{}, err
	}
	images, err := table(fsys, policies.ImagesFile, command.ParseImages)
	if err != nil {
		return facts.Knowledge{}, err
	}
	amounts, err := table(fsys, policies.MemoryFile, memory.ParseTable)
	return facts.Knowledge{Programs: programs, Images: images, Memory: amounts}, err
}

// table reads a file of what is known.
func table[T any](fsys fs.FS, file string, parse func([]byte) (T, error)) (T, error) {
	var none T
	raw, err := fs.ReadFile(fsys, file)
	if err != nil {
		return none, fmt.Errorf("reading what is known: %w", err)
	}
	known, err := parse(raw)
	if err != nil {
		return none, fmt.Errorf("%s: %w", file, err)
	}
	return known, nil
}

// Page returns the hand-written page of a rule, in Markdown.
func Page(id string) (string, error) {
	raw, err := fs.ReadFile(policies.FS, "forestall/rules/"+id+"/rule.md")
	if err != nil {
		return "", fmt.Errorf("reading the page of rule %s: %w", id, err)
	}
	return string(raw), nil
}
