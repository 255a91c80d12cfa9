package main

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
	} {
		if diff := cmp.Diff(want, similar(word, ids)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", word, diff)
		}
	}
}

func TestEither(t *testing.T) {
	for want, words := range map[string][]string{"": nil, "a": {"a"}, "a or b": {"a", "b"}, "a, b or c": {"a", "b", "c"}} {
		if got := either(words); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
