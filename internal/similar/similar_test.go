package similar

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSimilar(t *testing.T) {
	ids := []string{"command-exits", "liveness-restart-policy", "memory-limit-missing"}
	for word, want := range map[string][]string{
		"comand-exits":         {"command-exits"},
		"memory-limit-mising":  {"memory-limit-missing"},
		"liveness":             {"liveness-restart-policy"},
		"memory-limits-missed": {"memory-limit-missing"},
		"xyz":                  nil,
		"it":                   nil,
	} {
		if diff := cmp.Diff(want, Words(word, ids)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", word, diff)
		}
	}
}

func TestEither(t *testing.T) {
	for want, words := range map[string][]string{"": nil, "a": {"a"}, "a or b": {"a", "b"}, "a, b or c": {"a", "b", "c"}} {
		if got := Either(words); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestQuestion(t *testing.T) {
	words := []string{"mode", "rules"}
	for word, want := range map[string]string{"modes": ": did you mean mode?", "xyz": ""} {
		if got := Question(word, words); got != want {
			t.Errorf("%s: got %q, want %q", word, got, want)
		}
	}
}
