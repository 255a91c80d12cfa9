package finding

import "time"

// Status says whether a running cluster reports already what a finding predicts.
type Status string

// The statuses of a finding. It is empty where no cluster was asked.
const (
	// Happening findings were predicted, and the cluster reports the failure.
	Happening Status = "happening"
	// Predicted findings were predicted, and the cluster does not report the failure (yet).
	Predicted Status = "predicted"
)

// Symptom is something that a running cluster reports about an object that is in trouble. What its pods report
// alike is one Symptom.
type Symptom struct {
	Kind SymptomKind `json:"kind"`
	// Container that it is about; empty for the pod or the object as a whole.
	Container string `json:"container,omitempty"`
	// Reason is the word that the API has for it: CrashLoopBackOff, OOMKilled, FailedScheduling.
	Reason string `json:"reason,omitempty"`
	// ExitCode of a container that has ended.
	ExitCode *int32 `json:"exitCode,omitempty"`
	// Count is how often: restarts of the pod with most, or how often an event was seen.
	Count int `json:"count,omitempty"`
	// Pods is how many pods report it; 0 where it is about the object itself.
	Pods int `json:"pods,omitempty"`
	// Message of the API, of the pod that reported it last, cut to a bounded length.
	Message string `json:"message,omitempty"`
	// Last is when it was seen last, where the API says so.
	Last time.Time `json:"last,omitzero"`
	// Over is true for what is no trouble by itself: it has passed, since the container runs again or the pod was replaced,
	// or it may still pass. It may confirm a prediction all the same.
	Over bool `json:"over,omitempty"`
}

// SymptomKind is where in the API a Symptom stands.
type SymptomKind string

// The kinds of symptoms.
const (
	Restarts   SymptomKind = "restarts"   // containerStatuses[].restartCount
	Terminated SymptomKind = "terminated" // containerStatuses[].state.terminated or lastState.terminated
	Waiting    SymptomKind = "waiting"    // containerStatuses[].state.waiting
	Running    SymptomKind = "running"    // containerStatuses[].state.running of a container whose end is waited for
	Condition  SymptomKind = "condition"  // a condition of the pod or of its workload
	Phase      SymptomKind = "phase"      // the phase of the pod, such as Failed (Evicted)
	Event      SymptomKind = "event"      // an event about the pod or its workload
	Endpoints  SymptomKind = "endpoints"  // a Service without ready endpoints
	OnNode     SymptomKind = "node"       // the node that the pod is on
)

// Trouble is a failure that a running cluster reports and no finding predicts.
type Trouble struct {
	Object Object `json:"object"`
	// Container that fails; empty where the pod as a whole does.
	Container string `json:"container"`
	// Pods is how many pods of the object are in this trouble.
	Pods int `json:"pods"`
	// Reason is the trouble in one clause, in the words of the API.
	Reason string `json:"reason"`
	// Known is what forestall knows about such a failure, and what to look at; empty where that is nothing.
	Known string `json:"known,omitempty"`
	// Evidence is what the cluster reports.
	Evidence []Symptom `json:"evidence"`
}
