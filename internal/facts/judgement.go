package facts

import (
	"maps"
	"math"
	"slices"

	"github.com/forestall/forestall/internal/facts/fact"
)

// Judgement names one observation that a rule judges: whose fact it is, its state and, for a
// number, its bounds. A rule is asked only about objects in which one of its judgements holds.
type Judgement struct {
	Of    Subject    `json:"of"`
	Fact  string     `json:"fact"`
	State fact.State `json:"state"`
	// AtLeast and AtMost name a parameter of the rule that bounds the number of the fact.
	AtLeast string `json:"atLeast,omitempty"`
	AtMost  string `json:"atMost,omitempty"`
}

// Subject says whose fact is judged.
type Subject string

// The subjects.
const (
	OfContainer Subject = "container"
	OfPod       Subject = "pod"
	OfWorkload  Subject = "workload"
	OfService   Subject = "service"
	OfManifest  Subject = "manifest"
)

// Subjects lists those that have facts, sorted.
func Subjects() []Subject { return slices.Sorted(maps.Keys(subjects())) }

// Names lists the facts of a subject that a rule may judge, sorted.
func Names(of Subject) []string { return slices.Sorted(maps.Keys(subjects()[of].numbers)) }

// Numbers lists the facts of a subject that have a number, sorted.
func Numbers(of Subject) []string {
	numbers := subjects()[of].numbers
	return slices.DeleteFunc(Names(of), func(name string) bool { return !numbers[name] })
}

// Condition tells whether one of several judgements holds in an object. It is made once for each
// rule with its parameters, and every request asks it.
type Condition struct {
	any []func(*Facts) bool
}

// ConditionOf returns the Condition of these judgements, with the parameters that are numbers. A
// judgement of an unknown fact, or with an unknown parameter, never holds.
func ConditionOf(judges []Judgement, params map[string]int64) Condition {
	known := subjects()
	var c Condition
	for _, j := range judges {
		within, ok := j.bounds(params)
		of := known[j.Of]
		if _, is := of.numbers[j.Fact]; is && ok {
			c.any = append(c.any, of.test(j.Fact, j.State, within))
		}
	}
	return c
}

// Holds reports whether one of the judgements holds.
func (c Condition) Holds(f *Facts) bool {
	for _, holds := range c.any {
		if holds(f) {
			return true
		}
	}
	return false
}

// bounds are the least and the most that a number may be.
type bounds struct{ least, most int64 }

func (b bounds) hold(n int64) bool { return b.least <= n && n <= b.most }

// bounds returns the bounds that the judgement sets; ok is false where a parameter is not known.
func (j Judgement) bounds(params map[string]int64) (b bounds, ok bool) {
	b = bounds{least: math.MinInt64, most: math.MaxInt64}
	for _, side := range []struct {
		param string
		into  *int64
	}{{j.AtLeast, &b.least}, {j.AtMost, &b.most}} {
		if side.param == "" {
			continue
		}
		if *side.into, ok = params[side.param]; !ok {
			return b, false
		}
	}
	return b, true
}
