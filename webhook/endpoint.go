package webhook

import (
	"context"

	"github.com/forestall/forestall/internal/config"
	"github.com/forestall/forestall/internal/review"
)

// The paths that the webhook answers on.
const (
	ValidatePath = "/validate"
	MutatePath   = "/mutate"
)

// endpoint is what sets /validate and /mutate apart, as data.
type endpoint struct {
	// name is the path in the URL, and its label in metrics.
	name string
	// decide reviews the object of a request.
	decide func(context.Context, Admission, review.Subject) (answer, error)
	// refuses is true where the answer may be a refusal. Mutating webhooks run
	// before the others have had their say about the object, so /mutate never
	// refuses.
	refuses bool
	// audited is true where every answer is annotated for the audit log. The API
	// server asks a mutating webhook again after others have changed the object, and
	// takes no second value for an annotation: there, only a patch is annotated.
	audited bool
	// repairs is true where objects are also repaired, which takes longer than a review.
	repairs bool
	// unreviewed says what becomes of an object that could not be reviewed.
	unreviewed string
}

func validating() endpoint {
	decide := func(ctx context.Context, in Admission, s review.Subject) (answer, error) {
		d, err := in.Reviewer.Review(ctx, s)
		a := validated(d)
		if in.FailureMode == config.Fail {
			a.refuseUnanswered(d)
		}
		return a, err
	}
	return endpoint{name: ValidatePath, decide: decide, refuses: true, audited: true, unreviewed: "admitted without a review"}
}

func mutating() endpoint {
	decide := func(ctx context.Context, in Admission, s review.Subject) (answer, error) {
		d, err := in.Reviewer.Review(ctx, s)
		if err != nil || d.Skipped != "" {
			return validated(d), err
		}
		repaired, err := in.Reviewer.Repair(ctx, s, d)
		if err != nil {
			return answer{}, err
		}
		return mutated(d, repaired)
	}
	return endpoint{name: MutatePath, decide: decide, repairs: true, unreviewed: "passed on unchanged"}
}
