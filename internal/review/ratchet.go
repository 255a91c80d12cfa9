package review

import (
	"context"

	"github.com/forestall/forestall/internal/finding"
)

// before is what is known of the findings of a stored object.
type before struct {
	findings map[finding.Identity]bool
	// unanswered are the rules that gave no answer about it.
	unanswered map[string]bool
}

// has reports whether the stored object has the finding too, or may have: where its rule
// gave no answer, nobody can say that the update brought it.
func (b before) has(f *finding.Finding) bool {
	return b.findings[f.Identity()] || b.unanswered[f.Rule]
}

// before asks the rules about the stored object, where there is one and something was found
// in the object as it is to be.
func (r *Reviewer) before(ctx context.Context, s Subject, c opened, now []finding.Finding) (before, error) {
	if c.old == nil || len(now) == 0 {
		return before{}, nil
	}
	found, failed, err := r.find(ctx, s, c.old, s.OldObject)
	if err != nil {
		return before{}, err
	}
	b := before{findings: make(map[finding.Identity]bool, len(found)), unanswered: make(map[string]bool, len(failed))}
	for i := range found {
		b.findings[found[i].Identity()] = true
	}
	for _, e := range failed {
		b.unanswered[e.Rule] = true
	}
	return b, nil
}
