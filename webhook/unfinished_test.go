package webhook

import (
	"context"
	"encoding/json"
	"strings"
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

// Where the configuration refuses what cannot be judged whole, /validate says so in the place of the
// warning, and /mutate leaves that to it.
func TestRefusedUnfinished(t *testing.T) {
	containers := strings.Repeat(`{"name":"a","image":"web:1"},`, 5000) + `{"name":"b","image":"web:1"}`
	body := reviewed{
		resource: "pods", kind: "Pod", operation: "CREATE",
		object: `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web"},"spec":{"containers":[` + containers + `]}}`,
	}.body(t)
	type told struct {
		Allowed  bool
		Code     int32
		Message  string
		Decision string
		Warnings []string
	}
	const warning = "forestall: the object is too large to be judged whole; it may have problems that are not told here"
	for _, test := range []struct {
		name, path string
		refuse     bool
		want       told
	}{
		{"admitted", ValidatePath, false, told{Allowed: true, Decision: "warn", Warnings: []string{warning}}},
		{"refused", ValidatePath, true, told{
			Code: 403, Decision: "refuse-unfinished",
			Message: "Pod \"web\" is not admitted: the object is too large to be judged whole",
		}},
		{"passed on", MutatePath, true, told{Allowed: true}},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWebhook(t, Options{Admission: Always(Admission{Reviewer: realReviewer(t, review.Settings{RefuseUnfinished: test.refuse})})})
			var answered admissionv1.AdmissionReview
			decodeInto(t, post(w.at(test.path), test.path, body).Body.Bytes(), &answered)
			r := answered.Response
			got := told{Allowed: r.Allowed, Decision: r.AuditAnnotations["decision"], Warnings: r.Warnings}
			if r.Result != nil {
				got.Code = r.Result.Code
				got.Message, _, _ = strings.Cut(r.Result.Message, "\n")
			}
			if diff := cmp.Diff(test.want, got); diff != "" || len(r.Patch) > 0 {
				t.Errorf("patch %s (-want +got):\n%s", r.Patch, diff)
			}
		})
	}
}
