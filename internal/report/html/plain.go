package html

import (
	"slices"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/finding"
)

// maxPlain bounds the list that stands in for the findings where a browser runs no JavaScript.
const maxPlain = 300

// plain is that list.
type plain struct {
	Rules    []plainRule
	Troubles []finding.Trouble
	// More is how many findings and troubles are left out.
	More int
}

// plainRule are findings of one rule.
type plainRule struct {
	Rule     string
	Failure  string
	Findings []finding.Finding
}

func plainOf(r *audit.Result) plain {
	p := plain{Troubles: r.Troubles[:min(len(r.Troubles), maxPlain)]}
	room := maxPlain - len(p.Troubles)
	findings := slices.Clone(r.Findings)
	slices.SortStableFunc(findings, func(a, b finding.Finding) int { return b.Level.Compare(a.Level) })
	shown := findings[:min(len(findings), room)]
	at := map[string]int{}
	for _, f := range shown {
		i, known := at[f.Rule]
		if !known {
			i = len(p.Rules)
			at[f.Rule] = i
			p.Rules = append(p.Rules, plainRule{Rule: f.Rule, Failure: f.Failure})
		}
		p.Rules[i].Findings = append(p.Rules[i].Findings, f)
	}
	p.More = len(r.Findings) + len(r.Troubles) - len(shown) - len(p.Troubles)
	return p
}
