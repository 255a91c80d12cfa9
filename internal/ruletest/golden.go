package ruletest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/explain"
	"github.com/forestall/forestall/internal/patch"
	"github.com/forestall/forestall/internal/review"
)

// golden is everything that a person would read about the findings.
func golden(r audit.Result) string {
	var b strings.Builder
	for i, f := range r.Findings {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%s/%s, line %d, %s: %s\n", f.Object.Kind, f.Object.Name, f.Source.Line, f.Level, explain.Reason(f))
		b.WriteString(explain.Finding(f))
	}
	return b.String()
}

// checkPatched holds the patched file against what the repairs make of the
// failing manifest, under the configuration of the folder.
func (c checker) checkPatched(ctx context.Context, name, patchedName string) error {
	settings, err := c.settings()
	if err != nil {
		return err
	}
	set, reviewer, err := c.load(ctx, name, settings)
	if err != nil {
		return err
	}
	var documents []string
	changed := false
	objects, _, err := set.All(ctx)
	if err != nil {
		return err
	}
	for _, o := range objects {
		object, repaired, err := repair(ctx, reviewer, o.Subject)
		if err != nil {
			return err
		}
		changed = changed || repaired
		y, err := yaml.JSONToYAML(object)
		if err != nil {
			return err
		}
		documents = append(documents, string(y))
	}
	if !changed {
		return c.absent(patchedName)
	}
	return c.compare(patchedName, strings.Join(documents, "---\n"))
}

// checkSuggested holds the suggested file against what the suggestions make of the
// text of the failing manifest.
func (c checker) checkSuggested(ctx context.Context, name, suggestedName string) error {
	set, reviewer, err := c.load(ctx, name, review.Settings{})
	if err != nil {
		return err
	}
	fixed, err := set.Fix(ctx, reviewer, review.Selection{Audited: true, Suggestions: true})
	switch {
	case err != nil:
		return err
	case len(fixed.Errors) > 0:
		return fixed.Errors[0]
	case len(fixed.Withheld) > 0:
		return fmt.Errorf("line %d: %w", fixed.Withheld[0].Source.Line, fixed.Withheld[0].Err)
	}
	return c.compare(suggestedName, string(fixed.Files[0].After))
}

// repair returns the object as the mutating webhook would leave it.
func repair(ctx context.Context, r *review.Reviewer, s review.Subject) (object []byte, changed bool, err error) {
	d, err := r.Review(ctx, s)
	if err != nil {
		return nil, false, err
	}
	repaired, err := r.Repair(ctx, s, d)
	switch {
	case err != nil:
		return nil, false, err
	case len(repaired.Errors) > 0:
		return nil, false, repaired.Errors[0]
	case len(repaired.Patch) == 0:
		return s.Object, false, nil
	}
	object, err = patch.Apply(s.Object, repaired.Patch)
	return object, true, err
}

func (c checker) absent(name string) error {
	_, err := os.Stat(filepath.Join(c.folder, filepath.FromSlash(name)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return fmt.Errorf("%s is there, but nothing is to be changed", name)
}

func (c checker) compare(name, got string) error {
	file := filepath.Join(c.folder, filepath.FromSlash(name))
	if c.options.Update {
		return os.WriteFile(file, []byte(got), 0o644)
	}
	want, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s is missing; it would be:\n%s", name, got)
	}
	if err != nil {
		return err
	}
	if string(want) != got {
		return fmt.Errorf("%s differs\n--- wanted\n%s--- got\n%s", name, want, got)
	}
	return nil
}
