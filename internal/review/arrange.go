package review

import (
	"cmp"
	"slices"

	"github.com/forestall/forestall/internal/policy"
	"github.com/forestall/forestall/internal/workload"
)

// topic is what findings with one cause have in common.
type topic struct{ container, concern string }

// arrange merges the findings that have one cause and puts the rest into the
// order in which people should read them: strongest level, then surest, then the
// order of the containers. Nothing depends on the order of maps or sets.
func (r *Reviewer) arrange(findings []Finding, v *workload.View) []Finding {
	position := make(map[string]int, len(v.Containers))
	for i := range v.Containers {
		position[v.Containers[i].Name] = i + 1
	}
	slices.SortStableFunc(findings, func(a, b Finding) int {
		return cmp.Or(
			-compareLevels(a.Level, b.Level),
			compareCertainties(a.Certainty, b.Certainty),
			cmp.Compare(position[a.Container], position[b.Container]),
			cmp.Compare(a.Rule, b.Rule),
			cmp.Compare(a.Path, b.Path),
		)
	})
	return r.mergeCauses(findings)
}

// mergeCauses keeps the surest finding of each topic. Findings of one rule stay
// together: a rule that reports two fields means two findings.
func (r *Reviewer) mergeCauses(findings []Finding) []Finding {
	surest := map[topic]policy.Certainty{}
	for _, f := range findings {
		t := r.topicOf(f)
		if kept, ok := surest[t]; !ok || compareCertainties(f.Certainty, kept) < 0 {
			surest[t] = f.Certainty
		}
	}
	return slices.DeleteFunc(findings, func(f Finding) bool {
		return compareCertainties(f.Certainty, surest[r.topicOf(f)]) > 0
	})
}

func (r *Reviewer) topicOf(f Finding) topic {
	return topic{container: f.Container, concern: r.rules[f.Rule].Concern}
}

func compareLevels(a, b policy.Level) int {
	return cmp.Compare(slices.Index(policy.Levels(), a), slices.Index(policy.Levels(), b))
}

func compareCertainties(a, b policy.Certainty) int {
	return cmp.Compare(slices.Index(policy.Certainties(), a), slices.Index(policy.Certainties(), b))
}
