package image_test

import (
	"reflect"
	"testing"
	"unicode/utf8"

	corev1 "k8s.io/api/core/v1"

	"github.com/forestall/forestall/internal/facts/fact"
)

// FuzzObserve holds for any text: one result, a form for what is invalid, pieces that
// can be shown, and mended references that are valid.
func FuzzObserve(f *testing.F) {
	for text := range wrong() {
		f.Add(text)
	}
	for _, text := range []string{"nginx", "[::1]:5000/a:1", "localhost/a@sha256:", "a@b@c", ":@/", "A/B:C@D", "\xff:\xfe", "{{{{"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := observe(text, corev1.PullNever)
		if again := observe(text, corev1.PullNever); !reflect.DeepEqual(got, again) {
			t.Errorf("two results: %+v and %+v", got, again)
		}
		bad := got.Invalid
		if bad.Is(fact.Present) != (bad.Form != "") || bad.Is(fact.Absent) != (got.Name != "") {
			t.Errorf("%+v", got)
		}
		if n := utf8.RuneCountInString(bad.Part); n > 160 || !utf8.ValidString(bad.Part+bad.Error) {
			t.Errorf("part %q, error %q", bad.Part, bad.Error)
		}
		if bad.Meant != "" && !observe(bad.Meant, corev1.PullNever).Invalid.Is(fact.Absent) {
			t.Errorf("%q cannot be read either", bad.Meant)
		}
		if got.Mutable.Is(fact.Present) && got.Digest != "" || got.Mutable.Is(fact.Present) && got.NeverPulled.Is(fact.Absent) {
			t.Errorf("%+v", got)
		}
	})
}
