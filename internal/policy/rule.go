package policy

import (
	"github.com/forestall/forestall/internal/facts"
	"github.com/forestall/forestall/internal/finding"
)

// Rule is one entry of the catalogue: what the METADATA of a rule says of it.
type Rule struct {
	// ID is the name of the rule's folder: configuration key, metric label, page and
	// cause type at once.
	ID string `json:"id"`
	// Title is a short, stable name of the problem.
	Title       string `json:"title"`
	Description string `json:"description"`
	Custom
	Links []Link `json:"links,omitempty"`
}

// Custom is the part of METADATA that OPA leaves to its users, as rules write it.
type Custom struct {
	Category string `json:"category"`
	// Concern is what the rule is about within a container. It is the cause of its findings,
	// unless they name a narrower one.
	Concern   string            `json:"concern"`
	Certainty finding.Certainty `json:"certainty"`
	// Level is the default level; that of the certainty unless the rule sets another.
	Level finding.Level `json:"level"`
	// Judges lists the observations of which at least one must hold before the rule is asked.
	Judges []facts.Judgement `json:"judges"`
	// Failure is what a person would see in the cluster: CrashLoopBackOff, OOMKilled.
	Failure string `json:"failure"`
	// ConfirmedBy is what a running cluster reports when that has come true; any one of them is enough.
	ConfirmedBy []finding.Confirmation `json:"confirmedBy,omitempty"`
	// Unconfirmed says why a cluster never reports it, in place of ConfirmedBy.
	Unconfirmed string `json:"unconfirmed,omitempty"`
	Remediation string `json:"remediation"`
	// Since is the version of forestall that brought the rule.
	Since string `json:"since"`
	// Patches is true for a rule that can bring repairs.
	Patches bool `json:"patches"`
	// Suggests is true for a rule that can bring suggestions.
	Suggests bool             `json:"suggests"`
	Params   map[string]Param `json:"params,omitempty"`
}

// Link is a page to read about a rule.
type Link struct {
	Title string `json:"title,omitempty"`
	URL   string `json:"url"`
}
