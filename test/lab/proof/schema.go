package proof

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// The version of the files.
const (
	APIVersion = "lab.forestall.dev/v1"
	Kind       = "Proof"
)

// Proof is one file: the proof of one rule.
type Proof struct {
	metav1.TypeMeta `json:",inline"`
	// Fails are manifests that the rule speaks about: they fail as predicted.
	Fails []Case `json:"fails,omitempty"`
	// Works are manifests that it lets pass, or that it has patched.
	Works []Case `json:"works,omitempty"`
	// Unproved says why a rule has no cases.
	Unproved string `json:"unproved,omitempty"`
}

// Case is one manifest that is run.
type Case struct {
	Name     string             `json:"name"`
	Manifest string             `json:"manifest"`
	StandIns map[string]StandIn `json:"standIns,omitempty"`
	// PodsMemory bounds the memory of all pods of the node meanwhile.
	PodsMemory string `json:"podsMemory,omitempty"`
	// Patched runs it with the webhook in place, which has to patch it.
	Patched bool            `json:"patched,omitempty"`
	Within  metav1.Duration `json:"within"`
	Expect  []Expectation   `json:"expect"`
}

// StandIn runs in the place of an image.
type StandIn struct {
	Image string            `json:"image"`
	Env   map[string]string `json:"env,omitempty"`
}

// Expectation is what must be seen at one moment; what is not set does not matter.
type Expectation struct {
	Pod             *PodSelector `json:"pod,omitempty"`
	Container       string       `json:"container,omitempty"`
	Phase           string       `json:"phase,omitempty"`
	Reason          string       `json:"reason,omitempty"`
	Waiting         *Reason      `json:"waiting,omitempty"`
	Terminated      *Terminated  `json:"terminated,omitempty"`
	Running         *bool        `json:"running,omitempty"`
	RestartsAtLeast int          `json:"restartsAtLeast,omitempty"`
	Condition       *Condition   `json:"condition,omitempty"`
	Event           *Reason      `json:"event,omitempty"`
	Service         *Service     `json:"service,omitempty"`
	Job             *Job         `json:"job,omitempty"`
	Deployment      *Deployment  `json:"deployment,omitempty"`
	// StillNot turns it round: it must not be seen within that time.
	StillNot metav1.Duration `json:"stillNot,omitzero"`
}

// PodSelector chooses pods by what is set.
type PodSelector struct {
	Name   string            `json:"name,omitempty"`
	Labels map[string]string `json:"labels,omitempty"`
}

// Reason is a reason, and a part of its message.
type Reason struct {
	Reason  string `json:"reason"`
	Message string `json:"message,omitempty"`
}

// Terminated is an end of a container.
type Terminated struct {
	Reason   string `json:"reason,omitempty"`
	ExitCode *int   `json:"exitCode,omitempty"`
}

// Condition is a condition of a pod or of a Deployment.
type Condition struct {
	Type   string `json:"type"`
	Status string `json:"status"`
	Reason string `json:"reason,omitempty"`
}

// Service is how many endpoints of a Service are ready, and on how many ports they can be reached.
type Service struct {
	Name  string `json:"name"`
	Ready *int   `json:"ready,omitempty"`
	Ports *int   `json:"ports,omitempty"`
}

// Job is a condition of a Job that is true.
type Job struct {
	Name      string `json:"name"`
	Condition string `json:"condition"`
}

// Deployment is a condition of a Deployment, or how many ReplicaSets it has made.
type Deployment struct {
	Name               string    `json:"name"`
	Condition          Condition `json:"condition,omitzero"`
	ReplicaSetsAtLeast int       `json:"replicaSetsAtLeast,omitempty"`
}
