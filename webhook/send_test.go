package webhook

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/review"
)

// TestTextsOfAnAnswerAreBounded: what is too long is cut, and the verdict stands.
func TestTextsOfAnAnswerAreBounded(t *testing.T) {
	long := strings.Repeat("ü", maxMessage) // the cut falls inside of a letter or not
	a := answer{response: admissionv1.AdmissionResponse{
		Warnings: []string{"first", long, "last"},
		Result: &metav1.Status{Message: "x" + long, Details: &metav1.StatusDetails{Causes: []metav1.StatusCause{
			{Type: "rule", Message: "first", Field: "spec"}, {Type: "rule", Message: long}, {Type: "rule", Message: "last"},
		}}},
	}}
	a.bound()
	want := admissionv1.AdmissionResponse{
		Warnings: []string{"first"},
		Result: &metav1.Status{
			Message: "x" + strings.Repeat("ü", maxMessage/2-1) + "…",
			Details: &metav1.StatusDetails{Causes: []metav1.StatusCause{{Type: "rule", Message: "first", Field: "spec"}}},
		},
	}
	if diff := cmp.Diff(want, a.response); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	short := answer{response: admissionv1.AdmissionResponse{Warnings: []string{"a", "b"}, Result: &metav1.Status{Message: "c"}}}
	short.bound()
	if diff := cmp.Diff(admissionv1.AdmissionResponse{Warnings: []string{"a", "b"}, Result: &metav1.Status{Message: "c"}}, short.response); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestLargeAnswersAreBoundedTogether: while others fill the memory for large answers, there is no
// patch; and when they are sent there is one again.
func TestLargeAnswersAreBoundedTogether(t *testing.T) {
	large := stub{repair: func(context.Context, review.Decision) (review.Repaired, error) {
		return review.Repaired{Patch: []finding.Operation{{Op: "add", Path: "/spec", Value: strings.Repeat("x", maxSmall)}}}, nil
	}}
	w := newWebhook(t, Options{Admission: Always(Admission{Reviewer: large})})
	decision := func() string {
		_, rest, _ := strings.Cut(post(w.MutateHandler(), MutatePath, create).Body.String(), `"allowed":`)
		return fmt.Sprintf("%.4s patched %t", rest, strings.Contains(rest, `"patch":`))
	}
	got := []string{decision()}
	if !w.largeAnswers.TryAcquire(maxLargeAnswers) {
		t.Fatal("an answer that was sent is still counted")
	}
	got = append(got, decision())
	w.largeAnswers.Release(maxLargeAnswers)
	got = append(got, decision())
	if diff := cmp.Diff([]string{"true patched true", "true patched false", "true patched true"}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
