package proof

import (
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestExpected(t *testing.T) {
	seconds := func(n time.Duration) metav1.Duration { return metav1.Duration{Duration: n * time.Second} }
	for _, tt := range []struct {
		name            string
		c               Case
		quiet, expected time.Duration
	}{
		{"what is awaited", Case{Within: seconds(60), Expect: []Expectation{{Phase: "Running"}}}, 0, 30 * time.Second},
		{"a moment of silence", Case{Within: seconds(60), Expect: []Expectation{{StillNot: seconds(10)}}}, 10 * time.Second, 30 * time.Second},
		{
			"long silences",
			Case{Within: seconds(60), Expect: []Expectation{{StillNot: seconds(50)}, {StillNot: seconds(40)}}},
			50 * time.Second, 50 * time.Second,
		},
	} {
		if got := tt.c.Quiet(); got != tt.quiet {
			t.Errorf("%s: quiet for %s, want %s", tt.name, got, tt.quiet)
		}
		if got := tt.c.Expected(); got != tt.expected {
			t.Errorf("%s: expected to take %s, want %s", tt.name, got, tt.expected)
		}
	}
}
