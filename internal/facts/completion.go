package facts

import (
	"github.com/forestall/forestall/internal/facts/command"
	"github.com/forestall/forestall/internal/facts/fact"
	"github.com/forestall/forestall/internal/workload"
)

// Completion says whether something waits for a container to end. Present: the container has to
// end before the rest of the pod goes on, or before its Job is complete. Absent: nothing waits
// for it.
type Completion struct {
	// Path is the container where it is an init container, else the pod spec.
	fact.Observation
	// Never says whether a container that has to end is known never to end well: its command runs until it
	// is stopped, or fails where it cannot run, and nothing in the pod is set up to stop it.
	Never fact.Observation `json:"never"`
}

func observeCompletion(v *workload.View, c *workload.Container, ends command.Ends) Completion {
	var f Completion
	switch {
	case c.Kind == workload.Init:
		f.Observation = fact.PresentAt(c.Path)
	case c.Kind == workload.Regular && (v.Like == "Job" || v.Like == "CronJob"):
		f.Observation = fact.PresentAt(v.SpecPath)
	default:
		f.Observation = fact.AbsentAt(c.Path)
	}
	f.Never = fact.AbsentAt(ends.Path)
	switch {
	case f.State == fact.Absent:
	case v.PodSpec.ShareProcessNamespace != nil && *v.PodSpec.ShareProcessNamespace:
		f.Never = fact.UnknownAt(ends.Path, "another container of the pod can end its process")
	case ends.NeverSucceeds && ends.Stoppable && c.Kind == workload.Regular && len(v.Containers) > 1:
		f.Never = fact.UnknownAt(ends.Path, "another container of the pod can stop it")
	case ends.NeverSucceeds:
		f.Never = fact.PresentAt(ends.Path)
	case ends.State == fact.Unknown:
		f.Never = fact.UnknownAt(ends.Path, ends.Reason)
	case ends.State == fact.Absent:
		f.Never = fact.PresentAt(ends.Path)
	}
	return f
}
