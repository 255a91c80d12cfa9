package config_test

import (
	"testing"

	"github.com/forestall/forestall/internal/config"
)

// TestIgnoreAnnotations: unless it is said, annotations count in audits and not in the webhook.
func TestIgnoreAnnotations(t *testing.T) {
	for word, want := range map[string]struct{ admission, audit bool }{
		"":                            {audit: true},
		"ignoreAnnotations: audits\n": {audit: true},
		"ignoreAnnotations: always\n": {admission: true, audit: true},
		"ignoreAnnotations: never\n":  {},
	} {
		c, err := config.Parse("", []byte(head+word))
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Settings().IgnoreAnnotations; got != want.admission {
			t.Errorf("%q: the webhook ignores: %v", word, got)
		}
		if got := c.AuditSettings().IgnoreAnnotations; got != want.audit {
			t.Errorf("%q: audits ignore: %v", word, got)
		}
	}
	if c := (config.Configuration{}); c.Settings().IgnoreAnnotations || !c.AuditSettings().IgnoreAnnotations {
		t.Error("without a file annotations are to count in audits alone")
	}
}
