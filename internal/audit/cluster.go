package audit

import "github.com/forestall/forestall/internal/evidence"

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
type Node = evidence.Node
