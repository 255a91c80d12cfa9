package html

import (
	"bytes"
	"encoding/json"
	"html/template"
	"strings"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/policy"
)

// data is what the script of the page reads. The texts of findings are alike, so each stands in it once: a number in
// a row is a position in Texts, Rules or Objects.
type data struct {
	Rules    []rule           `json:"rules"`
	Objects  []finding.Object `json:"objects"`
	Texts    []string         `json:"texts"`
	Findings []row            `json:"findings"`
	Troubles []trouble        `json:"troubles,omitempty"`
	// Cluster is true where a running cluster was asked.
	Cluster bool `json:"cluster,omitempty"`
	// Whole is false where something could not be judged, so that what is not in the page need not be well.
	Whole bool `json:"whole"`
	// NotShown is how many findings are below the lowest level that was asked for, and Known how many an earlier report holds.
	NotShown int `json:"notShown,omitempty"`
	Known    int `json:"known,omitempty"`
}

// rule is what the page tells of a rule that found something.
type rule struct {
	ID          string            `json:"id"`
	Title       string            `json:"title,omitempty"`
	Description string            `json:"description,omitempty"`
	Failure     string            `json:"failure"`
	Certainty   finding.Certainty `json:"certainty"`
	Remediation string            `json:"remediation,omitempty"`
}

// row is a finding.
type row struct {
	Rule      int                 `json:"r"`
	Object    int                 `json:"o"`
	Level     finding.Level       `json:"l"`
	Patched   bool                `json:"patched,omitempty"`
	Status    finding.Status      `json:"s,omitempty"`
	Pods      int                 `json:"pods,omitempty"`
	Container int                 `json:"c"`
	Path      int                 `json:"p"`
	File      int                 `json:"f"`
	Line      int                 `json:"n,omitempty"`
	Reason    int                 `json:"re"`
	What      int                 `json:"wt"`
	Why       int                 `json:"wy"`
	Fix       int                 `json:"fx"`
	Evidence  []finding.Symptom   `json:"evidence,omitempty"`
	Merged    []finding.Identity  `json:"merged,omitempty"`
	Patch     []finding.Operation `json:"patch,omitempty"`
	// Suggestion changes what somebody wrote; Patch only adds.
	Suggestion []finding.Operation `json:"suggestion,omitempty"`
}

// trouble is a failure that nothing predicts.
type trouble struct {
	Object    int               `json:"o"`
	Container int               `json:"c"`
	Pods      int               `json:"pods,omitempty"`
	Reason    int               `json:"re"`
	Known     int               `json:"k"`
	Evidence  []finding.Symptom `json:"evidence,omitempty"`
}

// index gives each value a position, in the order in which they come.
type index[T comparable] struct {
	all []T
	at  map[T]int
}

func (x *index[T]) of(v T) int {
	at, known := x.at[v]
	if known {
		return at
	}
	if x.at == nil {
		x.at = map[T]int{}
	}
	at = len(x.all)
	x.at[v], x.all = at, append(x.all, v)
	return at
}

// encoder puts the data of a page together.
type encoder struct {
	catalogue map[string]policy.Rule
	rules     index[string]
	known     []rule
	objects   index[finding.Object]
	texts     index[string]
	// folder is what the names of all files begin with.
	folder string
}

// encode returns the data of a page as JSON. It holds no "<", so it ends no script; U+2028 and U+2029 are escaped, too.
func encode(r *audit.Result, catalogue []policy.Rule) (template.JS, error) {
	e := encoder{catalogue: map[string]policy.Rule{}, folder: folder(r)}
	for i := range catalogue {
		e.catalogue[catalogue[i].ID] = catalogue[i]
	}
	e.texts.of("")
	d := data{Findings: make([]row, 0, len(r.Findings)), Cluster: r.Cluster != nil, Whole: whole(r), NotShown: r.NotShown}
	if r.Baseline != nil {
		d.Known = r.Baseline.Known()
	}
	for i := range r.Findings {
		d.Findings = append(d.Findings, e.row(&r.Findings[i]))
	}
	for i := range r.Troubles {
		d.Troubles = append(d.Troubles, e.trouble(&r.Troubles[i]))
	}
	d.Rules, d.Objects, d.Texts = e.known, e.objects.all, e.texts.all
	var b bytes.Buffer
	j := json.NewEncoder(&b)
	j.SetEscapeHTML(true)
	if err := j.Encode(d); err != nil {
		return "", err
	}
	return template.JS(b.String()), nil //nolint:gosec // JSON without a "<" is data in any script
}

func (e *encoder) row(f *finding.Finding) row {
	return row{
		Rule: e.rule(f), Object: e.objects.of(f.Object), Level: f.Level, Patched: f.Patched, Status: f.Status, Pods: f.Pods,
		Container: e.texts.of(f.Container), Path: e.texts.of(f.Path), File: e.texts.of(finding.Quote(strings.TrimPrefix(f.Source.File, e.folder))), Line: f.Source.Line,
		Reason: e.texts.of(f.Reason), What: e.texts.of(f.What), Why: e.texts.of(f.Why), Fix: e.texts.of(f.Fix),
		Evidence: f.Evidence, Merged: f.Merged, Patch: f.Patch, Suggestion: f.Suggestion,
	}
}

func (e *encoder) rule(f *finding.Finding) int {
	at := e.rules.of(f.Rule)
	if at == len(e.known) {
		r := e.catalogue[f.Rule]
		e.known = append(e.known, rule{
			ID: f.Rule, Title: r.Title, Description: r.Description, Failure: f.Failure, Certainty: f.Certainty, Remediation: r.Remediation,
		})
	}
	return at
}

func (e *encoder) trouble(t *finding.Trouble) trouble {
	return trouble{
		Object: e.objects.of(t.Object), Container: e.texts.of(t.Container), Pods: t.Pods,
		Reason: e.texts.of(t.Reason), Known: e.texts.of(t.Known), Evidence: t.Evidence,
	}
}

// whole reports whether all was judged that was to be judged.
func whole(r *audit.Result) bool {
	return len(r.Errors) == 0 && r.Summary.Errors == 0 && (r.Cluster == nil || len(r.Cluster.Unread) == 0)
}

// folder is the folder, with a slash, that all files with findings are below; empty where there is none, and where
// there is one file alone.
func folder(r *audit.Result) string {
	if len(r.Findings) == 0 {
		return ""
	}
	first := r.Findings[0].Source.File
	common := first[:strings.LastIndexByte(first, '/')+1]
	one := true
	for i := range r.Findings {
		file := r.Findings[i].Source.File
		one = one && file == first
		for !strings.HasPrefix(file, common) {
			common = common[:strings.LastIndexByte(strings.TrimSuffix(common, "/"), '/')+1]
		}
	}
	if one || common == "/" {
		return ""
	}
	return common
}
