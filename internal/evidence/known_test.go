package evidence

import (
	"strings"
	"testing"

	"github.com/forestall/forestall/internal/finding"
)

// TestKnownRows holds the tables of what is known: each row can be reached, and says in at most two sentences what to know
// and where to look.
func TestKnownRows(t *testing.T) {
	kinds := []finding.SymptomKind{
		finding.Restarts, finding.Terminated, finding.Waiting, finding.Running, finding.Condition, finding.Phase, finding.Event, finding.Endpoints, finding.OnNode,
	}
	for _, kind := range kinds {
		for _, k := range rows(kind) {
			s := finding.Symptom{Kind: kind, Reason: k.reason, Message: k.message}
			if k.code {
				s.ExitCode, s.Reason = &k.exit, "Error"
			}
			if got := knownOf(&s); got != k {
				t.Errorf("%s %s %q: another row says %q", kind, k.reason, k.message, got.text)
			}
			if k.family == "" {
				t.Errorf("%s %s %q has no family", kind, k.reason, k.message)
			}
			if k.weight == none {
				continue
			}
			sentences := strings.Count(k.text, ". ") + 1
			if !strings.HasSuffix(k.text, ".") || sentences > 2 || len(k.text) > 240 {
				t.Errorf("%s %s %q: %d sentences in %d characters: %s", kind, k.reason, k.message, sentences, len(k.text), k.text)
			}
		}
	}
}

// TestReasonsAreKnown: every event that is kept means something, apart from those about nodes.
func TestReasonsAreKnown(t *testing.T) {
	for _, reason := range Reasons() {
		if reason == "SystemOOM" || reason == "OOMKilling" {
			continue
		}
		if knownOf(&finding.Symptom{Kind: finding.Event, Reason: reason}).text == "" {
			t.Errorf("nothing is known of the event %s", reason)
		}
	}
}
