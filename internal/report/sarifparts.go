package report

import (
	"cmp"
	"net/url"
	"strings"
	"time"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/policy"
)

const (
	sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	// sarifRoot stands for the folder that paths are relative to; GitHub takes it for the root of the repository.
	sarifRoot = "%SRCROOT%"
	// sarifIdentity names the fingerprint. Its number grows with the way it is made.
	sarifIdentity = "forestallIdentity/v1"
)

// The types below are the parts of SARIF 2.1.0 that are written, in the words of section 3 of the standard.

// sarifRest is a run without its results.
type sarifRest struct {
	Tool               sarifTool                `json:"tool"`
	Invocations        []sarifInvocation        `json:"invocations"`
	OriginalURIBaseIDs map[string]sarifBase     `json:"originalUriBaseIds"`
	AutomationDetails  sarifAutomation          `json:"automationDetails"`
	ColumnKind         string                   `json:"columnKind"`
	Properties         map[string]audit.Summary `json:"properties"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name           string      `json:"name"`
	InformationURI string      `json:"informationUri"`
	Version        string      `json:"version,omitempty"`
	Rules          []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID               string              `json:"id"`
	Name             string              `json:"name,omitempty"`
	ShortDescription *sarifText          `json:"shortDescription,omitempty"`
	FullDescription  *sarifText          `json:"fullDescription,omitempty"`
	HelpURI          string              `json:"helpUri,omitempty"`
	Help             *sarifHelp          `json:"help,omitempty"`
	Default          *sarifDefault       `json:"defaultConfiguration,omitempty"`
	Properties       *sarifRuleAttribute `json:"properties,omitempty"`
}

type sarifDefault struct {
	Level string `json:"level"`
}

type sarifRuleAttribute struct {
	Tags []string `json:"tags"`
	// Precision is GitHub's word for how sure a rule is.
	Precision string            `json:"precision"`
	Certainty finding.Certainty `json:"certainty"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifHelp struct {
	Text     string `json:"text"`
	Markdown string `json:"markdown,omitempty"`
}

type sarifResult struct {
	RuleID              string             `json:"ruleId"`
	RuleIndex           int                `json:"ruleIndex"`
	Level               string             `json:"level"`
	Message             sarifText          `json:"message"`
	Locations           []sarifLocation    `json:"locations"`
	PartialFingerprints map[string]string  `json:"partialFingerprints"`
	Suppressions        []sarifSuppression `json:"suppressions,omitempty"`
	Properties          *sarifProperties   `json:"properties,omitempty"`
}

type sarifProperties struct {
	Certainty finding.Certainty `json:"certainty,omitempty"`
	Cause     string            `json:"cause,omitempty"`
	Field     string            `json:"field,omitempty"`
	Patched   bool              `json:"patched,omitempty"`
	Pods      int               `json:"pods,omitempty"`
	Status    finding.Status    `json:"status,omitempty"`
	Evidence  []finding.Symptom `json:"evidence,omitempty"`
}

type sarifSuppression struct {
	Kind          string `json:"kind"`
	Status        string `json:"status"`
	Justification string `json:"justification"`
}

type sarifLocation struct {
	PhysicalLocation *sarifPhysical `json:"physicalLocation,omitempty"`
	LogicalLocations []sarifLogical `json:"logicalLocations,omitempty"`
}

type sarifPhysical struct {
	ArtifactLocation sarifArtifactLocation `json:"artifactLocation"`
	Region           *sarifRegion          `json:"region,omitempty"`
}

type sarifArtifactLocation struct {
	URI       string `json:"uri"`
	URIBaseID string `json:"uriBaseId,omitempty"`
}

type sarifRegion struct {
	StartLine int `json:"startLine"`
}

type sarifLogical struct {
	Name               string `json:"name,omitempty"`
	FullyQualifiedName string `json:"fullyQualifiedName"`
	Kind               string `json:"kind"`
}

type sarifInvocation struct {
	ExecutionSuccessful        bool                `json:"executionSuccessful"`
	EndTimeUTC                 string              `json:"endTimeUtc,omitempty"`
	ToolExecutionNotifications []sarifNotification `json:"toolExecutionNotifications"`
}

type sarifNotification struct {
	Level          string          `json:"level"`
	Message        sarifText       `json:"message"`
	Locations      []sarifLocation `json:"locations,omitempty"`
	AssociatedRule *sarifReference `json:"associatedRule,omitempty"`
}

type sarifReference struct {
	ID string `json:"id"`
}

type sarifBase struct {
	Description sarifText `json:"description"`
}

type sarifAutomation struct {
	ID string `json:"id"`
}

// sarifRules numbers the rules of results, in the order in which they come. The zero value is ready.
type sarifRules struct {
	ids []string
	at  map[string]int
}

func (r *sarifRules) index(id string) int {
	at, known := r.at[id]
	if !known {
		if r.at == nil {
			r.at = map[string]int{}
		}
		at = len(r.ids)
		r.at[id] = at
		r.ids = append(r.ids, id)
	}
	return at
}

// rest is what stands behind the results.
func (s *sarif) rest(sum audit.Summary) (sarifRest, error) {
	rules := []sarifRule{}
	for _, id := range s.rules.ids {
		r, err := s.rule(id)
		if err != nil {
			return sarifRest{}, err
		}
		rules = append(rules, r)
	}
	invocation := sarifInvocation{ExecutionSuccessful: !s.failed, ToolExecutionNotifications: s.notes}
	if !s.options.Now.IsZero() {
		invocation.EndTimeUTC = s.options.Now.UTC().Format(time.RFC3339)
	}
	category := "forestall/"
	if sum.Cluster != nil {
		category += sum.Cluster.Name + "/"
	}
	return sarifRest{
		Tool:        sarifTool{Driver: sarifDriver{Name: "forestall", InformationURI: home, Version: s.options.Version, Rules: rules}},
		Invocations: []sarifInvocation{invocation},
		OriginalURIBaseIDs: map[string]sarifBase{
			sarifRoot: {Description: sarifText{Text: "The folder in which forestall was started."}},
		},
		AutomationDetails: sarifAutomation{ID: category}, ColumnKind: "unicodeCodePoints",
		Properties: map[string]audit.Summary{"summary": sum},
	}, nil
}

// rule describes a rule of the catalogue. What stands for a rule has only a title.
func (s *sarif) rule(id string) (sarifRule, error) {
	for _, r := range s.options.Rules {
		if r.ID == id {
			return s.described(r)
		}
	}
	title := id
	if id == observedRule {
		title = "A cluster reports a failure that no rule predicts"
	}
	return sarifRule{ID: id, ShortDescription: &sarifText{Text: title}}, nil
}

func (s *sarif) described(r policy.Rule) (sarifRule, error) {
	out := sarifRule{
		ID: r.ID, Name: camel(r.ID), ShortDescription: &sarifText{Text: r.Title}, FullDescription: &sarifText{Text: cmp.Or(r.Description, r.Title)}, HelpURI: pageOf(r.ID),
		Help:    &sarifHelp{Text: cmp.Or(r.Remediation, r.Title), Markdown: r.Remediation},
		Default: &sarifDefault{Level: sarifLevel(&finding.Finding{Level: r.Level})},
		Properties: &sarifRuleAttribute{
			Tags: []string{"kubernetes", r.Category}, Certainty: r.Certainty,
			Precision: map[finding.Certainty]string{finding.Certain: "very-high", finding.Likely: "high"}[r.Certainty],
		},
	}
	if out.Properties.Precision == "" {
		out.Properties.Precision = "medium"
	}
	if s.options.Page == nil {
		return out, nil
	}
	page, err := s.options.Page(r)
	out.Help.Markdown = page
	return out, err
}

// camel is the id of a rule as names of rules are written in SARIF: memory-limit-missing is MemoryLimitMissing.
func camel(id string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(id, "-") {
		if word != "" {
			b.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
	}
	return b.String()
}

// uriOf writes a path with slashes as a reference of a URI.
func uriOf(file string) string { return (&url.URL{Path: file}).String() }
