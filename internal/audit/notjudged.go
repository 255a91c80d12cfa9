package audit

import (
	"cmp"
	"slices"

	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/review"
)

// NotJudged are the objects of one kind that were read and not judged for one reason.
type NotJudged struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	// Reason is the same for all of them.
	Reason review.Skip `json:"reason"`
	// Objects is how many there are.
	Objects int `json:"objects"`
	// Detail is what is said of the first of them, and First its place. They are left out where nobody looks
	// for it: a ConfigMap has no pod template.
	Detail string         `json:"detail,omitempty"`
	First  finding.Source `json:"first,omitzero"`
}

// same is a NotJudged as far as it is told apart from others.
func (n NotJudged) same() NotJudged {
	return NotJudged{APIVersion: n.APIVersion, Kind: n.Kind, Reason: n.Reason}
}

// notJudged says of one object why it was not judged.
func notJudged(o *Object, d *review.Decision) NotJudged {
	n := NotJudged{APIVersion: d.Object.APIVersion, Kind: d.Object.Kind, Reason: d.Skip, Objects: 1}
	if d.Skip != review.NoPodTemplate { // a place costs another look at the text
		n.Detail, n.First = d.Skipped, o.Place("")
	}
	return n
}

// maxNotJudged bounds how many kinds are told apart: an input of ever new kinds does not fill the memory.
const maxNotJudged = 1000

// OtherKinds stands for the kinds beyond those that are told apart.
const OtherKinds = "(other kinds)"

// passed counts what was not judged. The zero value has counted nothing.
type passed struct {
	all []NotJudged
	at  map[NotJudged]int // by same
}

func (p *passed) add(n NotJudged) {
	at, known := p.at[n.same()]
	if !known && len(p.all) >= maxNotJudged {
		n = NotJudged{Kind: OtherKinds, Reason: n.Reason, Objects: n.Objects}
		at, known = p.at[n.same()]
	}
	if known {
		p.all[at].Objects += n.Objects
		return
	}
	if p.at == nil {
		p.at = map[NotJudged]int{}
	}
	p.at[n.same()] = len(p.all)
	p.all = append(p.all, n)
}

// ordered returns the counts, first those that a person should look at.
func (p *passed) ordered() []NotJudged {
	last := func(n NotJudged) int {
		if n.Reason == review.NoPodTemplate {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(p.all, func(a, b NotJudged) int {
		return cmp.Or(
			cmp.Compare(last(a), last(b)), cmp.Compare(a.Reason, b.Reason), cmp.Compare(b.Objects, a.Objects),
			cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.APIVersion, b.APIVersion),
		)
	})
	return append([]NotJudged{}, p.all...)
}
