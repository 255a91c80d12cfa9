package audit

import "github.com/forestall/forestall/internal/finding"

// Warning is something in the input that does not mean what it seems to mean. The verdict stands.
type Warning struct {
	Source  finding.Source `json:"source"`
	Message string         `json:"message"`
}
