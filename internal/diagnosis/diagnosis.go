// Package diagnosis says of one workload in a running cluster what its trouble comes from: the one cause, what the
// cluster shows of it, the last lines of a log, and the fix.
package diagnosis

import (
	"slices"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/finding"
)

// APIVersion and Kind of a Diagnosis as programs read it. Fields are only added within a version.
const (
	APIVersion = "forestall.dev/v1alpha1"
	Kind       = "Diagnosis"
)

// State is how a workload is.
type State string

// The states.
const (
	Failing State = "failing" // the cluster reports a failure
	AtRisk  State = "at risk" // a failure is predicted at level deny or warn, and the cluster reports none
	Fine    State = "fine"    // neither
)

// Diagnosis is what is said of one workload.
type Diagnosis struct {
	APIVersion string         `json:"apiVersion"`
	Kind       string         `json:"kind"`
	Cluster    *audit.Cluster `json:"cluster,omitempty"`
	Object     finding.Object `json:"object"`
	State      State          `json:"state"`
	// Pods of the workload, and how many of them are in trouble as far as symptoms count pods.
	Pods    int `json:"pods"`
	Failing int `json:"failing"`
	// Cause is what to look at first; nil where nothing is wrong.
	Cause *Cause `json:"cause,omitempty"`
	// Others are further causes, in the order in which they are worth a look.
	Others []Cause `json:"others"`
	// Log holds the last lines of the container of the cause; nil where the cause has no container that has run.
	Log *Log `json:"log,omitempty"`
	// Errors are what could not be judged.
	Errors []string `json:"errors"`
}

// Cause is either a finding or a failure that nothing predicts.
type Cause struct {
	Finding *finding.Finding `json:"finding,omitempty"`
	Trouble *finding.Trouble `json:"trouble,omitempty"`
}

// Log holds the last lines that a container has written.
type Log struct {
	Pod       string `json:"pod"`
	Container string `json:"container"`
	// Previous says that the lines are those of the run before the present one.
	Previous bool     `json:"previous"`
	Lines    []string `json:"lines"`
	// Unread says why there are no lines.
	Unread string `json:"unread,omitempty"`
}

// Of makes a Diagnosis of what an audit found of one workload and of the pods that differ from it.
func Of(object finding.Object, pods int, found audit.Result) Diagnosis {
	d := Diagnosis{
		APIVersion: APIVersion, Kind: Kind, Cluster: found.Cluster, Object: object, State: Fine, Pods: pods,
		Others: []Cause{}, Errors: []string{},
	}
	for _, e := range found.Errors {
		d.Errors = append(d.Errors, e.Error())
	}
	all := causes(found)
	if len(all) == 0 {
		return d
	}
	d.Cause = &all[0]
	d.Others = append(d.Others, all[1:]...)
	d.State = all[0].state()
	for i := range all {
		if all[i].state() == Failing {
			d.Failing = max(d.Failing, all[i].failing())
		}
	}
	return d
}

// causes returns what was found, what happens now before what may happen, and predictions before what nothing predicts:
// those have a fix. What is equal in that stays in the order of the review.
func causes(found audit.Result) []Cause {
	var all []Cause
	for i := range found.Findings {
		all = append(all, Cause{Finding: &found.Findings[i]})
	}
	for i := range found.Troubles {
		all = append(all, Cause{Trouble: &found.Troubles[i]})
	}
	slices.SortStableFunc(all, func(a, b Cause) int { return a.rank() - b.rank() })
	return all
}

// rank is lower for what is worth a look before others.
func (c Cause) rank() int {
	switch f := c.Finding; {
	case f == nil:
		return 1
	case f.Status == finding.Happening:
		return 0
	case f.Level.AtLeast(finding.Warn) && !f.Patched:
		return 2
	}
	return 3
}

func (c Cause) state() State {
	switch c.rank() {
	case 0, 1:
		return Failing
	case 2:
		return AtRisk
	}
	return Fine
}

// evidence is what the cluster reports.
func (c Cause) evidence() []finding.Symptom {
	if c.Trouble != nil {
		return c.Trouble.Evidence
	}
	return c.Finding.Evidence
}

// failing is in how many pods the cluster reports it.
func (c Cause) failing() int {
	most := 0
	if c.Trouble != nil {
		most = c.Trouble.Pods
	}
	for _, s := range c.evidence() {
		most = max(most, s.Pods)
	}
	return most
}

// Container of the cause; empty where it is about the pod or the workload.
func (c Cause) Container() string {
	if c.Trouble != nil {
		return c.Trouble.Container
	}
	return c.Finding.Container
}
