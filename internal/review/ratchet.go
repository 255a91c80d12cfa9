package review

import (
	"context"

	"github.com/forestall/forestall/internal/budget"
	"github.com/forestall/forestall/internal/finding"
)

// before is what is known of the findings of a stored object.
type before struct {
	findings map[finding.Identity]bool
	// unanswered holds the rules that gave no answer about the stored object.
	unanswered map[string]bool
	// unfinished says that the object was too large to be judged whole.
	unfinished bool
}

// has reports whether the stored object has the finding too, or may have: where its rule
// gave no answer, nobody can say that the update brought it.
func (b before) has(f *finding.Finding) bool {
	return b.findings[f.Identity()] || b.unanswered[f.Rule] || b.unfinished
}

// before asks the rules about the stored object, if there is one and something was found in the
// new one.
func (r *Reviewer) before(ctx context.Context, steps *budget.Budget, s Subject, c opened, now []finding.Finding) (before, error) {
	if c.old == nil || len(now) == 0 {
		return before{unfinished: c.oldTooLarge && len(now) > 0}, nil
	}
	old, err := r.find(ctx, steps, s, c.old)
	if err != nil {
		return before{}, err
	}
	b := before{
		findings: make(map[finding.Identity]bool, len(old.findings)), unanswered: make(map[string]bool, len(old.failed)),
		unfinished: old.unfinished,
	}
	for i := range old.findings {
		b.findings[old.findings[i].Identity()] = true
	}
	for _, e := range old.failed {
		b.unanswered[e.Rule] = true
	}
	return b, nil
}
