package shapes_test

import (
	"bytes"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/forestall/forestall/internal/builtin"
	"github.com/forestall/forestall/internal/review"
	"github.com/forestall/forestall/test/bench/shapes"
)

// TestVerdicts: nothing is found in a healthy shape, and a failing one is denied.
func TestVerdicts(t *testing.T) {
	reviewer, err := builtin.Reviewer(t.Context(), review.Settings{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range shapes.All() {
		raw, err := s.Raw(1)
		if err != nil {
			t.Fatal(err)
		}
		d, err := reviewer.Review(t.Context(), review.Subject{
			Operation: review.Create, Kind: schema.GroupVersionKind{Version: "v1", Kind: s.Kind}, Namespace: shapes.Namespace, Object: raw,
		})
		if err != nil {
			t.Fatal(err)
		}
		if d.Skipped != "" || d.Denied() != s.Failing || !s.Failing && len(d.Findings) > 0 {
			t.Errorf("%s: skipped %q, %+v", s, d.Skipped, d.Findings)
		}
	}
}

// TestNumbers: a distinct body differs in its pod template, a repeated one in names alone.
func TestNumbers(t *testing.T) {
	for _, s := range shapes.All() {
		body, err := s.Body()
		if err != nil {
			t.Fatal(err)
		}
		want, err := s.Review(1234567)
		if err != nil {
			t.Fatal(err)
		}
		if got := body.With(1234567); !bytes.Equal(got, want) {
			t.Errorf("%s:\ngot  %s\nwant %s", s, got, want)
		}
	}
}
