package webhook

import (
	"context"
	"encoding/json"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"

	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/review"
)

// What was found in an object that is too large stands, on both paths a warning tells of the rest, and
// nothing is patched.
func TestUnfinished(t *testing.T) {
	const warning = "forestall: the object is too large to be judged whole; it may have problems that are not told here"
	if n := utf8.RuneCountInString(warning); n > 120 {
		t.Fatalf("the warning has %d characters", n)
	}
	denied := review.Decision{
		Unfinished: "the object is too large to be judged whole",
		Findings:   []finding.Finding{{Rule: "a-rule", Level: finding.Deny}},
	}
	large := stub{
		review: func(context.Context, review.Subject) (review.Decision, error) { return denied, nil },
	}
	for path, allowed := range map[string]bool{ValidatePath: false, MutatePath: true} {
		w := post(newWebhook(t, Options{Admission: Always(Admission{Reviewer: large})}).at(path), path, create)
		var got admissionv1.AdmissionReview
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{warning}, got.Response.Warnings); diff != "" || got.Response.Allowed != allowed || got.Response.Patch != nil {
			t.Errorf("%s: allowed %v, patch %s, warnings (-want +got):\n%s", path, got.Response.Allowed, got.Response.Patch, diff)
		}
	}
}
