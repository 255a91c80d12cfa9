package audit

import "time"

// Cluster is a running cluster that was audited, and what it says about itself.
type Cluster struct {
	// Name and Context are those of the kubeconfig, Server is the address of the API server, and Version its
	// version.
	Name    string `json:"name"`
	Context string `json:"context"`
	Server  string `json:"server"`
	Version string `json:"version"`
	// Namespaces that were audited; empty for all.
	Namespaces []string `json:"namespaces,omitempty"`
	// Selector of labels that the objects had to have; empty for none.
	Selector string `json:"selector,omitempty"`
	// As says which mode was assumed in place of the one in force, such as "deny" or "deny in shop"; empty for none.
	As string `json:"as,omitempty"`
	// Pods that were seen, those that stand behind their workload included.
	Pods int `json:"pods"`
	// Unread says of each kind that could not be read why not, such as "events: Forbidden".
	Unread []string `json:"unread,omitempty"`
	// Rules tells of each rule that found something how often the cluster reports what it predicts.
	Rules []RuleEvidence `json:"rules"`
	// Nodes of the cluster, those in trouble first.
	Nodes []Node `json:"nodes"`
}

// RuleEvidence is how often the predictions of a rule have come true in a cluster.
type RuleEvidence struct {
	Rule string `json:"rule"`
	// Findings with something that runs, and those of them that the cluster reports as failing in the predicted way.
	Findings  int `json:"findings"`
	Happening int `json:"happening"`
}

// Node is a node of a cluster, and what may be asked of it.
type Node struct {
	Name string `json:"name"`
	// Ready is false while the node is NotReady or Unknown, since when ReadySince says. Flaps is how many events say
	// that it became NotReady.
	Ready      bool      `json:"ready"`
	ReadySince time.Time `json:"readySince,omitzero"`
	Flaps      int       `json:"flaps,omitempty"`
	// Pressure are the conditions that are true and should not be: MemoryPressure, DiskPressure, PIDPressure.
	Pressure []string `json:"pressure,omitempty"`
	// Pods that run on it, and those of them with a container without a memory limit.
	Pods      int `json:"pods"`
	Unlimited int `json:"unlimited"`
	// Memory is what the node can give to pods (status.allocatable), and Limits what the memory limits of its
	// pods add up to, in bytes. Where Limits is more, not all can have what they may take.
	Memory int64 `json:"memory"`
	Limits int64 `json:"limits"`
}

// Overcommitted reports whether the memory limits on the node add up to more than it has.
func (n Node) Overcommitted() bool { return n.Limits > n.Memory }
