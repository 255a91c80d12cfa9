package audit

import (
	"cmp"
	"hash/maphash"
	"slices"
	"strings"

	"github.com/forestall/forestall/internal/evidence"
	"github.com/forestall/forestall/internal/finding"
)

// watch goes through what is told of a running cluster, in the order of the source: it leaves out of pods what was said of
// their workload, and counts how often the predictions of a rule have come true.
type watch struct {
	rules  evidence.Rules
	counts map[string]*RuleEvidence
	// said are digests of the findings of workloads: eight bytes for each finding of the report.
	seed maphash.Seed
	said map[uint64]struct{}
}

func newWatch(rules evidence.Rules) *watch {
	return &watch{rules: rules, counts: map[string]*RuleEvidence{}, seed: maphash.MakeSeed(), said: map[uint64]struct{}{}}
}

// take goes through what is told of one batch.
func (w *watch) take(t *told) {
	var findings, ignored, troubles int
	var kept told
	for i := range t.spans {
		s := &t.spans[i]
		kept.findings = chosen(kept.findings, t.findings[findings:s.findings], func(f *finding.Finding) bool { return w.new(s, f) })
		kept.ignored = chosen(kept.ignored, t.ignored[ignored:s.ignored], func(i *finding.Ignored) bool { return w.new(s, &i.Finding) })
		kept.troubles = chosen(kept.troubles, t.troubles[troubles:s.troubles], func(d *finding.Trouble) bool {
			return w.newly(s, &finding.Finding{Container: d.Container})
		})
		findings, ignored, troubles = s.findings, s.ignored, s.troubles
	}
	t.findings, t.ignored, t.troubles = kept.findings, kept.ignored, kept.troubles
}

// chosen adds the items that are to be kept.
func chosen[T any](to, items []T, keep func(*T) bool) []T {
	for i := range items {
		if keep(&items[i]) {
			to = append(to, items[i])
		}
	}
	return to
}

// new reports whether a finding was not told of the workload of its pod already, and counts it.
func (w *watch) new(s *span, f *finding.Finding) bool {
	if !s.asked {
		return true
	}
	if !w.newly(s, f) {
		return false
	}
	if s.runs || f.Status == finding.Happening {
		w.count(f)
	}
	return true
}

// newly notes what is said of a workload, and reports whether it was not said of the workload of a pod. A trouble is a finding of
// no rule: what a container of a workload is in trouble with is told there.
func (w *watch) newly(s *span, f *finding.Finding) bool {
	if s.beside != nil {
		_, told := w.said[w.digest(*s.beside, f)]
		return !told
	}
	w.said[w.digest(s.object, f)] = struct{}{}
	return true
}

// digest is that of a finding's identity within the pod template of a workload: a pod has its template at another place.
func (w *watch) digest(of finding.Object, f *finding.Finding) uint64 {
	field := f.Field
	if _, within, ok := strings.Cut(field, "spec.template."); ok {
		field = within
	}
	return maphash.Comparable(w.seed, [...]string{of.Kind, of.Namespace, of.Name, f.Rule, f.Container, field})
}

// count counts a finding for its rule, and for those whose findings it tells as well.
func (w *watch) count(f *finding.Finding) {
	confirmed := w.rules.Confirmed(f, f.Evidence)
	for _, rule := range evidence.Predicting(f) {
		c := w.counts[rule]
		if c == nil {
			c = &RuleEvidence{Rule: rule}
			w.counts[rule] = c
		}
		c.Findings++
		if slices.Contains(confirmed, rule) {
			c.Happening++
		}
	}
}

// into puts the counts into what the cluster says, sorted by rule.
func (w *watch) into(c *Cluster) {
	c.Rules = make([]RuleEvidence, 0, len(w.counts))
	for _, one := range w.counts {
		c.Rules = append(c.Rules, *one)
	}
	slices.SortFunc(c.Rules, func(a, b RuleEvidence) int { return cmp.Compare(a.Rule, b.Rule) })
}
