package explain

import (
	"fmt"

	"github.com/forestall/forestall/internal/finding"
)

// maxEvent is the length in bytes that the API accepts for the message of an Event
// (k8s.io/kubernetes pkg/apis/core/validation/events.go, NoteLengthLimit).
const maxEvent = 1024

// Event returns the message of an Event about an object: the first problem with its
// fix, and how many there are. There must be at least one.
func Event(o finding.Object, findings []finding.Finding) string {
	first := findings[0]
	return cutBytes(fmt.Sprintf("%s. Fix: %s More: forestall explain %s",
		headline(o, findings), oneLine(first.Fix), first.Rule), maxEvent)
}
