package review

import (
	"context"
	"strings"

	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/workload"
)

// fieldOf is the path of a finding with the name of its container in place of the
// position, so that reordering containers does not make an old finding look new.
func fieldOf(path string, v *workload.View) string {
	for i := range v.Containers {
		c := &v.Containers[i]
		rest, ok := strings.CutPrefix(path, c.Path)
		if !ok || (rest != "" && rest[0] != '.') {
			continue
		}
		list, _, _ := strings.Cut(c.Path[len(v.SpecPath):], "[")
		return v.SpecPath + list + "[name=" + c.Name + "]" + withoutPositions(rest)
	}
	return path
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

// identitiesBefore returns the findings of the stored object on update.
func (r *Reviewer) identitiesBefore(ctx context.Context, s Subject, c opened) (map[finding.Identity]bool, error) {
	if c.old == nil {
		return nil, nil
	}
	findings, _, err := r.find(ctx, s, c.old, s.OldObject)
	if err != nil {
		return nil, err
	}
	before := make(map[finding.Identity]bool, len(findings))
	for _, f := range findings {
		before[f.Identity()] = true
	}
	return before, nil
}
