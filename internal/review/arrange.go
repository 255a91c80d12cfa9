package review

import (
	"cmp"
	"slices"

	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/workload"
)

// cause identifies what is wrong: in a container, or in the object where container is empty.
// Findings with the same cause are told as one.
type cause struct{ container, name string }

func causeOf(f *finding.Finding) cause { return cause{f.Container, f.Cause} }

// arrange merges the findings of each cause, and sorts what remains in the order in which
// people should read it: strongest level, then surest, then the order of the containers. Nothing
// depends on the order of maps or sets.
func arrange(findings []finding.Finding, v *workload.View) []finding.Finding {
	return ordered(mergeCauses(findings), v)
}

// ordered sorts findings in the order in which people should read them.
func ordered(findings []finding.Finding, v *workload.View) []finding.Finding {
	told := slices.Clone(findings)
	position := make(map[string]int, len(v.Containers))
	for i := range v.Containers {
		position[v.Containers[i].Name] = i + 1
	}
	slices.SortStableFunc(told, func(a, b finding.Finding) int {
		return cmp.Or(
			b.Level.Compare(a.Level),
			a.Certainty.Compare(b.Certainty),
			cmp.Compare(position[a.Container], position[b.Container]),
			cmp.Compare(a.Rule, b.Rule),
			cmp.Compare(a.Path, b.Path),
		)
	})
	return told
}

// mergeCauses keeps, for each cause, the findings of the surest rule. A rule that reports two
// fields means two findings, so all of its own stay. The first of them takes over the strongest
// level of those that it replaces, and counts as new where one of them is new. So no quiet
// finding hides a denial, and no old one a new fault.
func mergeCauses(findings []finding.Finding) []finding.Finding {
	inOrder := slices.Clone(findings)
	slices.SortStableFunc(inOrder, func(a, b finding.Finding) int {
		return cmp.Or(
			a.Certainty.Compare(b.Certainty),
			b.Level.Compare(a.Level),
			cmp.Compare(a.Rule, b.Rule),
			cmp.Compare(a.Path, b.Path),
		)
	})
	var told []finding.Finding
	tells := make(map[cause]int, len(inOrder)) // by cause, which of told tells it
	for _, f := range inOrder {
		at, known := tells[causeOf(&f)]
		if known && told[at].Rule != f.Rule {
			told[at] = standingFor(told[at], f)
			continue
		}
		if !known {
			tells[causeOf(&f)] = len(told)
		}
		told = append(told, f)
	}
	return told
}

// standingFor returns f as it stands for other, too, which has the same cause.
func standingFor(f, other finding.Finding) finding.Finding {
	if other.Level.AtLeast(f.Level) {
		f.Level = other.Level
	}
	f.Existing = f.Existing && other.Existing
	f.Merged = append(f.Merged[:len(f.Merged):len(f.Merged)], other.Identity())
	return f
}
