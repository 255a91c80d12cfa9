package config_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/config"
	"github.com/forestall/forestall/internal/policy"
	"github.com/forestall/forestall/internal/review"
)

const head = "apiVersion: forestall.dev/v1alpha1\nkind: Configuration\n"

func TestParse(t *testing.T) {
	c, err := config.Parse([]byte(head + `
mode: warn
rules:
  command-exits: {level: audit}
  memory-limit-missing: {params: {defaultLimit: 256Mi}}
`))
	if err != nil {
		t.Fatal(err)
	}
	want := review.Settings{
		Mode:   policy.Warn,
		Levels: map[string]policy.Level{"command-exits": policy.Audit},
		Params: map[string]map[string]any{"memory-limit-missing": {"defaultLimit": "256Mi"}},
	}
	if diff := cmp.Diff(want, c.Settings()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestParseRefuses(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"an unknown field", head + "mood: warn\n", `unknown field "mood"`},
		{"a duplicate field", head + "mode: warn\nmode: deny\n", `key "mode" already set in map`},
		{"an unknown mode", head + "mode: block\n", `mode: unknown level "block": it is one of off, audit, warn, deny`},
		{"an unknown level", head + "rules: {x: {level: loud}}\n", `rules.x.level: unknown level "loud"`},
		{"another kind", "apiVersion: v1\nkind: ConfigMap\n", `apiVersion and kind are "v1" and "ConfigMap": they must be`},
		{"no YAML", "a: b: c", "mapping values are not allowed"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := config.Parse([]byte(tt.in))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want an error with %q", err, tt.want)
			}
		})
	}
}

func TestLoad(t *testing.T) {
	if c, err := config.Load(""); err != nil || c.Mode != "" {
		t.Errorf("no file: %v, %v; want the zero Configuration", c, err)
	}
	missing := filepath.Join(t.TempDir(), "none.yaml")
	if _, err := config.Load(missing); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	file := filepath.Join(t.TempDir(), "forestall.yaml")
	if err := os.WriteFile(file, []byte(head+"mode: block\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := config.Load(file); err == nil || !strings.HasPrefix(err.Error(), file+": mode:") {
		t.Errorf("a broken file: %v, want its name first", err)
	}
}
