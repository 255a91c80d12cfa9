package audit

import (
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/review"
)

// Assumed is what a mode would do to objects that are there, if they were created once more.
type Assumed struct {
	// As is the mode, and where it is assumed: "deny", or "deny in shop".
	As string `json:"as"`
	// Denied objects would be refused, and Patched ones would be admitted with repairs.
	Denied  int `json:"denied"`
	Patched int `json:"patched"`
}

// count counts an object.
func (a *Assumed) count(d *review.Decision) {
	patched := false
	for i := range d.Findings {
		f := &d.Findings[i]
		if f.Level == finding.Deny && !f.Patched {
			a.Denied++
			return
		}
		patched = patched || f.Patched
	}
	if patched {
		a.Patched++
	}
}
