package report

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"sigs.k8s.io/yaml"

	"github.com/forestall/forestall/internal/finding"
)

const reportSource = "forestall"

// The results of a report.
const (
	passResult  = "pass"
	failResult  = "fail"
	warnResult  = "warn"
	errorResult = "error"
	skipResult  = "skip"
)

// reportHead is a report without its results. The two APIs have the same fields, but for the source.
type reportHead struct {
	APIVersion string        `json:"apiVersion"`
	Kind       string        `json:"kind"`
	Metadata   reportMeta    `json:"metadata"`
	Source     string        `json:"source,omitempty"`
	Summary    reportSummary `json:"summary"`
}

type reportMeta struct {
	Name      string            `json:"name"`
	Namespace string            `json:"namespace,omitempty"`
	Labels    map[string]string `json:"labels"`
}

type reportSummary struct {
	Pass  int `json:"pass"`
	Fail  int `json:"fail"`
	Warn  int `json:"warn"`
	Error int `json:"error"`
	Skip  int `json:"skip"`
}

func (s *reportSummary) count(result string) {
	switch result {
	case passResult:
		s.Pass++
	case failResult:
		s.Fail++
	case warnResult:
		s.Warn++
	case errorResult:
		s.Error++
	case skipResult:
		s.Skip++
	}
}

type reportResult struct {
	Source     string            `json:"source"`
	Policy     string            `json:"policy"`
	Rule       string            `json:"rule,omitempty"`
	Category   string            `json:"category,omitempty"`
	Result     string            `json:"result"`
	Severity   string            `json:"severity,omitempty"`
	Message    string            `json:"message,omitempty"`
	Resources  []reportSubject   `json:"resources,omitempty"`
	Timestamp  *reportTime       `json:"timestamp,omitempty"`
	Properties map[string]string `json:"properties,omitempty"`
}

type reportSubject struct {
	APIVersion string `json:"apiVersion,omitempty"`
	Kind       string `json:"kind,omitempty"`
	Namespace  string `json:"namespace,omitempty"`
	Name       string `json:"name,omitempty"`
	FieldPath  string `json:"fieldPath,omitempty"`
}

type reportTime struct {
	Seconds int64 `json:"seconds"`
	Nanos   int32 `json:"nanos"`
}

// result is a finding as one of these.
func (r *reports) result(f finding.Finding) reportResult {
	out := reportResult{
		Policy: f.Rule, Category: f.Category, Result: warnResult, Message: cutText(f.Reason),
		Severity: map[finding.Certainty]string{finding.Certain: "high", finding.Likely: "medium", finding.Possible: "low"}[f.Certainty],
		Resources: []reportSubject{{
			APIVersion: f.Object.APIVersion, Kind: f.Object.Kind, Namespace: f.Object.Namespace, Name: cutText(f.Object.Name), FieldPath: cutText(f.Path),
		}},
		Properties: map[string]string{"level": string(f.Level)},
	}
	if f.Level == finding.Deny {
		out.Result = failResult
	}
	for name, text := range map[string]string{
		"container": f.Container, "cause": f.Cause, "what": f.What, "why": f.Why, "fix": f.Fix, "source": sourceText(f.Source), "seen": seen(&f),
	} {
		if text != "" {
			out.Properties[name] = cutText(text)
		}
	}
	return out
}

func sourceText(s finding.Source) string {
	if s.File == "" {
		return ""
	}
	return s.String()
}

// complete fills in what all results have.
func (r *reports) complete(result *reportResult) {
	result.Source = reportSource
	if !r.options.Now.IsZero() {
		result.Timestamp = &reportTime{Seconds: r.options.Now.Unix()}
	}
}

// text is the result as an item of a list in YAML, and its length as JSON.
func (r *reportResult) text() (text []byte, size int, err error) {
	asJSON, err := json.Marshal([]*reportResult{r})
	if err != nil {
		return nil, 0, err
	}
	text, err = yaml.JSONToYAML(asJSON)
	return text, len(asJSON), err
}

func (p *reportPart) add(result string, text []byte, size int) {
	p.summary.count(result)
	p.results.Write(text)
	p.size += size
}

// cutText shortens a text that is too long for a result, at a rune.
func cutText(text string) string {
	text = strings.ToValidUTF8(text, "\ufffd")
	if len(text) <= maxMessage {
		return text
	}
	cut := maxMessage - len("…")
	for !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut] + "…"
}
