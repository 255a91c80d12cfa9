package webhook

import (
	"context"

	"github.com/forestall/forestall/internal/review"
)

// The paths that the webhook answers on.
const (
	ValidatePath = "/validate"
	MutatePath   = "/mutate"
)

// path is one of the two ways into the webhook, as data.
type path struct {
	// name is the path in the URL, and its label in metrics.
	name string
	// decide answers a request that could be read.
	decide func(context.Context, Reviewer, review.Subject) (answer, error)
	// refuses is true where the answer may be a refusal. Mutating webhooks run
	// before the others have had their say about the object, so /mutate never
	// refuses.
	refuses bool
	// audited is true where every answer is annotated for the audit log. The API
	// server asks a mutating webhook again after others have changed the object, and
	// takes no second value for an annotation: there, only a patch is annotated.
	audited bool
	// unreviewed says what becomes of an object that could not be reviewed.
	unreviewed string
}

func validating() path {
	decide := func(ctx context.Context, r Reviewer, s review.Subject) (answer, error) {
		d, err := r.Review(ctx, s)
		return validated(d), err
	}
	return path{name: ValidatePath, decide: decide, refuses: true, audited: true, unreviewed: "admitted without a review"}
}

func mutating() path {
	decide := func(ctx context.Context, r Reviewer, s review.Subject) (answer, error) {
		d, err := r.Review(ctx, s)
		if err != nil || d.Skipped != "" {
			return validated(d), err
		}
		repaired, err := r.Repair(ctx, s, d)
		if err != nil {
			return answer{}, err
		}
		return mutated(d, repaired)
	}
	return path{name: MutatePath, decide: decide, unreviewed: "passed on unchanged"}
}
