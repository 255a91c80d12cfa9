package review

import (
	"maps"
	"slices"
	"strings"

	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/policy"
	"github.com/forestall/forestall/internal/similar"
	"github.com/forestall/forestall/internal/workload"
)

// ignorePrefix begins the annotations that take findings out: the id of a rule follows, and the value
// is the reason. They stand on an object or on its pod template.
const ignorePrefix = "ignore.forestall.dev/"

const (
	// maxNotices bounds how much is said about the annotations of one object.
	maxNotices = 10
	// maxAnnotation is how long the name of an annotation may be behind its prefix
	// (k8s.io/apimachinery pkg/api/validate/content, IsLabelKey). Longer ones are no rules either.
	maxAnnotation = 63
)

// Notice is something that a person should know about an object and that is no finding: an annotation
// that does not do what it seems to do.
type Notice struct {
	// Path of the field.
	Path string
	Text string
}

// ignores returns the annotations that are to take findings out.
func ignores(annotations map[string]string) map[string]string {
	var out map[string]string
	for name, value := range annotations {
		if !strings.HasPrefix(name, ignorePrefix) {
			continue
		}
		if out == nil {
			out = map[string]string{}
		}
		out[name] = value
	}
	return out
}

// ignoring is what the annotations of an object ask to ignore.
type ignoring struct {
	reviewer *Reviewer
	// found are the rules that found something.
	found map[string]bool
	// reasons by rule.
	reasons map[string]string
	notices []Notice
}

// ignoring reads the annotations of an object of which these findings were found. Those of the pod
// template come first, since the pods have them, too.
func (r *Reviewer) ignoring(v *workload.View, findings []finding.Finding) ignoring {
	i := ignoring{reviewer: r, found: map[string]bool{}, reasons: map[string]string{}}
	for n := range findings {
		i.found[findings[n].Rule] = true
	}
	if v.TemplatePath != "" { // the annotations of a Pod are those of its template
		i.read(v.TemplatePath+".metadata.annotations", v.PodMeta.Annotations)
	}
	i.read("metadata.annotations", v.Meta.Annotations)
	return i
}

// read takes in the annotations at a path.
func (i *ignoring) read(path string, annotations map[string]string) {
	asked := ignores(annotations)
	for _, name := range slices.Sorted(maps.Keys(asked)) {
		id := strings.TrimPrefix(name, ignorePrefix)
		reason := strings.TrimSpace(asked[name])
		_, known := i.reviewer.rules[id]
		switch counts := i.reviewer.settings.IgnoreAnnotations; {
		case !counts && i.found[id]:
			i.notice(path, name, " does not count here: ignoreAnnotations in the configuration")
		case !counts:
		case !known && len(id) <= maxAnnotation:
			i.notice(path, name, ": there is no such rule"+similar.Question(id, slices.Sorted(maps.Keys(i.reviewer.rules))))
		case !known:
			i.notice(path, ignorePrefix+"...", ": there is no such rule")
		case reason == "":
			i.notice(path, name, " does not count: its value must give the reason")
		case i.reasons[id] == "":
			i.reasons[id] = reason
		}
	}
}

func (i *ignoring) notice(path, name, text string) {
	if len(i.notices) < maxNotices {
		i.notices = append(i.notices, Notice{Path: path + "[" + name + "]", Text: name + text})
	}
}

// told returns the findings that are to be told, and keeps in the Decision those that annotations ignore.
func (r *Reviewer) told(d *Decision, v *workload.View, findings []finding.Finding) []finding.Finding {
	d.Errors = slices.DeleteFunc(d.Errors, func(e policy.RuleError) bool { return !r.settings.tells(e.Rule) })
	findings = slices.DeleteFunc(findings, func(f finding.Finding) bool { return !r.settings.tells(f.Rule) })
	asked := r.ignoring(v, findings)
	d.Notices = asked.notices
	if len(asked.reasons) == 0 {
		return findings
	}
	ignored := func(f finding.Finding) bool { return asked.reasons[f.Rule] != "" }
	for _, f := range ordered(findings, v) {
		if ignored(f) {
			d.Ignored = append(d.Ignored, finding.Ignored{Finding: f, IgnoreReason: asked.reasons[f.Rule]})
		}
	}
	return slices.DeleteFunc(findings, ignored)
}

// tells reports whether what a rule finds is told.
func (s Settings) tells(rule string) bool {
	return (len(s.Only) == 0 || slices.Contains(s.Only, rule)) && !slices.Contains(s.Except, rule)
}

// ignoresOther reports whether annotations of an object itself ask to ignore something else than those of
// the stored one. Those of the pod template are among what rules judge.
func (r *Reviewer) ignoresOther(now, old *judged) bool {
	return r.settings.IgnoreAnnotations && !maps.Equal(ignores(now.view.Meta.Annotations), ignores(old.view.Meta.Annotations))
}
