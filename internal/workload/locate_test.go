package workload

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestApart: each field has an error of its own, and a log is told no names that somebody has made up.
func TestApart(t *testing.T) {
	_, err := Table{}.FromObject([]byte(`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web","labels":{"secret.example.com/x":1}},"spec":{"hostPID":"yes"}}`))
	var got, logged []string
	for _, one := range Apart(err) {
		got, logged = append(got, one.Error()), append(logged, Unquoted(one))
	}
	if diff := cmp.Diff([]string{
		`decoding Pod "web": metadata.labels[secret.example.com/x]: want a string, found 1: write "1"`,
		`decoding Pod "web": spec.hostPID: want true or false, found "yes"`,
	}, got); diff != "" {
		t.Errorf("errors (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{
		"metadata.labels: want a string, found a number", "spec.hostPID: want true or false, found a string",
	}, logged); diff != "" {
		t.Errorf("for a log (-want +got):\n%s", diff)
	}
	if got := Apart(ErrTooLarge); len(got) != 1 || got[0] != ErrTooLarge { //nolint:errorlint // the same one
		t.Errorf("Apart(ErrTooLarge) = %v", got)
	}
}
