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

// Reviewer returns a Reviewer with the embedded rules and data.
func Reviewer(ctx context.Context, settings review.Settings, source cluster.Source) (*review.Reviewer, error) {
	return ReviewerOf(ctx, policies.FS, settings, source)
}

// Reviewers returns what makes Reviewers with the engine of the embedded rules and
// their data: only settings change while a process runs.
func Reviewers(engine *policy.Engine, source cluster.Source) (func(review.Settings) (*review.Reviewer, error), error) {
	return reviewersOf(engine, policies.FS, source)
}

// ReviewerOf returns a Reviewer with the rules and data of fsys, which has the
// form of the folder policies.
func ReviewerOf(ctx context.Context, fsys fs.FS, settings review.Settings, source cluster.Source) (*review.Reviewer, error) {
	engine, err := policy.Load(ctx, fsys)
	if err != nil {
		return nil, err
	}
	with, err := reviewersOf(engine, fsys, source)
	if err != nil {
		return nil, err
	}
	return with(settings)
}

func reviewersOf(engine *policy.Engine, fsys fs.FS, source cluster.Source) (func(review.Settings) (*review.Reviewer, error), error) {
	known, err := knowledge(fsys)
	if err != nil {
		return nil, err
	}
	return func(settings review.Settings) (*review.Reviewer, error) {
		return review.New(review.Options{Engine: engine, Known: known, Cluster: source, Settings: settings})
	}, nil
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
