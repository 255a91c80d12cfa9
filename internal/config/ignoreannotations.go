package config

import "fmt"

// IgnoreAnnotations says where the annotations ignore.forestall.dev/RULE take findings out.
type IgnoreAnnotations string

const (
	// InAudits lets them count in audits alone: a webhook decides for others than those who write
	// the objects. It is the default.
	InAudits IgnoreAnnotations = "audits"
	// Always lets them count in the webhook, too.
	Always IgnoreAnnotations = "always"
	// Never lets them count nowhere.
	Never IgnoreAnnotations = "never"
)

// ParseIgnoreAnnotations reads the word as people write it.
func ParseIgnoreAnnotations(s string) (IgnoreAnnotations, error) {
	switch i := IgnoreAnnotations(s); i {
	case InAudits, Always, Never:
		return i, nil
	}
	return InAudits, fmt.Errorf("unknown word %q: it is audits, always or never", s)
}
