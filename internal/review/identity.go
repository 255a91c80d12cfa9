package review

import (
	"context"
	"strings"

	"github.com/forestall/forestall/internal/budget"
	"github.com/forestall/forestall/internal/policy"
	"github.com/forestall/forestall/internal/workload"
)

// identify replaces the position of the container in the path by its name, so
// that reordering containers does not make an old finding look new.
func identify(f policy.Finding, v *workload.View) Identity {
	id := Identity{Rule: f.Rule, Container: f.Container, Field: f.Path}
	if c, rest := v.At(f.Path); c != nil {
		list, _, _ := strings.Cut(c.Path[len(v.SpecPath):], "[")
		id.Field = v.SpecPath + list + "[name=" + c.Name + "]" + withoutPositions(rest)
	}
	return id
}

// withoutPositions drops the positions in a path: the lists below a container
// that rules point into (args, command) have no keys, and an argument that moves is
// still the same argument.
func withoutPositions(path string) string {
	var b strings.Builder
	for path != "" {
		before, after, ok := strings.Cut(path, "[")
		b.WriteString(before)
		if !ok {
			break
		}
		key, rest, _ := strings.Cut(after, "]")
		if strings.Trim(key, "0123456789") != "" {
			b.WriteString("[" + key + "]")
		}
		path = rest
	}
	return b.String()
}

// identitiesBefore returns the findings of the stored object on update, and whether they are all known.
func (r *Reviewer) identitiesBefore(ctx context.Context, b *budget.Budget, s Subject, c opened) (before map[Identity]bool, known bool, err error) {
	if c.old == nil {
		return nil, true, nil
	}
	old, err := r.find(ctx, b, s, c.old, s.OldObject)
	if err != nil {
		return nil, false, err
	}
	before = make(map[Identity]bool, len(old.findings))
	for _, f := range old.findings {
		before[f.Identity] = true
	}
	return before, !old.unfinished, nil
}
