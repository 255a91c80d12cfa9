package evidence

import (
	"slices"

	"github.com/forestall/forestall/internal/finding"
)

// group is what one cause shows: symptoms of one container, or of the pod as a whole.
type group struct {
	container string
	// first is the symptom that says most about the cause.
	first   *finding.Symptom
	members []finding.Symptom
}

// troubles makes a trouble of each cause that no finding predicts.
func (m *matching) troubles(of finding.Object) []finding.Trouble {
	var groups []*group
	for i := range m.symptoms {
		if s := &m.symptoms[i]; !m.taken[i] && !s.Over && knownOf(s).weight > follow {
			groups = place(groups, s)
		}
	}
	explained := len(groups) > 0 || slices.Contains(m.taken, true)
	for i := range m.symptoms {
		s := &m.symptoms[i]
		if m.taken[i] || s.Over || knownOf(s).weight != follow {
			continue
		}
		if g := groupOf(groups, s); g != nil {
			g.members = append(g.members, *s)
		} else if !explained || s.Container != "" {
			groups = append(groups, &group{container: s.Container, first: s, members: []finding.Symptom{*s}})
		}
	}
	var all []finding.Trouble
	for _, g := range groups {
		all = append(all, g.trouble(of))
	}
	return all
}

// place puts a symptom that says something of a cause into the group of its container, or of its family where it is
// about the pod.
func place(groups []*group, s *finding.Symptom) []*group {
	for _, g := range groups {
		if g.container == s.Container && (s.Container != "" || knownOf(g.first).family == knownOf(s).family) {
			if killsFor(s) && endedByProbe(g.first) {
				g.first = s
			}
			g.members = append(g.members, *s)
			return groups
		}
	}
	return append(groups, &group{container: s.Container, first: s, members: []finding.Symptom{*s}})
}

// groupOf is the group that explains a symptom which only follows from something.
func groupOf(groups []*group, s *finding.Symptom) *group {
	for _, g := range groups {
		if s.Container == "" || g.container == "" || g.container == s.Container {
			return g
		}
	}
	return nil
}

func (g *group) trouble(of finding.Object) finding.Trouble {
	t := finding.Trouble{Object: of, Container: g.container, Reason: clause(g.first), Known: knownOf(g.first).text, Evidence: g.members}
	for _, s := range g.members {
		t.Pods = max(t.Pods, s.Pods)
	}
	for _, s := range g.members {
		if k := knownOf(&s); k.weight == cause && k.family != knownOf(g.first).family {
			t.Reason += ", and " + clause(&s)
			break
		}
	}
	return t
}
