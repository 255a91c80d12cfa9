package command

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSetEnv(t *testing.T) {
	for _, tt := range []struct {
		name    string
		vars    []Variable
		open    bool
		env     map[string]string
		unknown map[string]bool
	}{
		{
			name: "in order",
			vars: []Variable{{Name: "A", Value: "$(B)"}, {Name: "B", Value: "b"}, {Name: "C", Value: "$(B)/$(B)"}, {Name: "D", Value: "$$(B)"}},
			env:  map[string]string{"A": "$(B)", "B": "b", "C": "b/b", "D": "$(B)"},
		},
		{
			name:    "what comes from elsewhere, and what depends on it",
			vars:    []Variable{{Name: "A", Elsewhere: true}, {Name: "B", Value: "$(A)"}, {Name: "C", Value: "c"}},
			env:     map[string]string{"C": "c"},
			unknown: map[string]bool{"A": true, "B": true},
		},
		{
			name: "the last of a name counts",
			vars: []Variable{{Name: "A", Elsewhere: true}, {Name: "A", Value: "a"}},
			env:  map[string]string{"A": "a"},
		},
		{
			name:    "envFrom may define anything",
			vars:    []Variable{{Name: "A", Value: "$(B)"}},
			open:    true,
			unknown: map[string]bool{"A": true},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in := Input{EnvOpen: tt.open}
			in.SetEnv(tt.vars)
			if tt.env == nil {
				tt.env = map[string]string{}
			}
			if tt.unknown == nil {
				tt.unknown = map[string]bool{}
			}
			if diff := cmp.Diff(tt.env, in.Env); diff != "" {
				t.Errorf("Env (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.unknown, in.EnvUnknown); diff != "" {
				t.Errorf("EnvUnknown (-want +got):\n%s", diff)
			}
		})
	}
}

// TestSetEnvIsBounded doubles a value with each variable.
func TestSetEnvIsBounded(t *testing.T) {
	vars := []Variable{{Name: "A", Value: strings.Repeat("x", 1024)}}
	for range 64 {
		vars = append(vars, Variable{Name: "A", Value: "$(A)$(A)"})
	}
	var in Input
	in.SetEnv(vars)
	if !in.EnvUnknown["A"] || len(in.Env) != 0 {
		t.Errorf("the value is known: %d bytes", len(in.Env["A"]))
	}
}
