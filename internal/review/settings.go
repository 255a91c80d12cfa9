package review

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"

	"k8s.io/apimachinery/pkg/util/version"

	"github.com/forestall/forestall/internal/facts/fact"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/policy"
	"github.com/forestall/forestall/internal/similar"
	"github.com/forestall/forestall/internal/workload"
)

// Settings say how strong the rules are and how they are tuned. The zero value
// leaves all to the rules.
type Settings struct {
	// Mode caps all levels; empty for no cap. Off stops all judging.
	Mode finding.Level
	// Assumed is taken in place of the mode that is in force, to show what it would do.
	Assumed Assumed
	// Namespaces caps the levels in the namespaces whose names match a pattern such
	// as team-*. Where several match, the lowest counts.
	Namespaces map[string]finding.Level
	// OwnedObjects caps what may be done about an object that a controller of a judged
	// kind creates; empty for warn.
	OwnedObjects finding.Level
	// Controllers are users, or patterns of users such as system:serviceaccount:operators:*,
	// who create objects for their owners, as the controllers of Kubernetes do.
	Controllers []string
	// TrustOwnerReferences believes owner references whoever sends them, where the controllers
	// of Kubernetes make such objects for such owners.
	TrustOwnerReferences bool
	// RefuseUnfinished refuses objects that are too large to be judged whole, when they are created
	// by nobody's controller and where findings may deny.
	RefuseUnfinished bool
	// HideNames leaves the names of other objects, such as Services, out of what is said to a sender who
	// is not Verified. Verdicts stay the same.
	HideNames bool
	// PolicyVersion, if set, is a version of forestall: rules that are newer only warn.
	PolicyVersion string
	// Levels overrides the default level of rules, by id; AuditLevels does so for
	// audits alone, and wins there.
	Levels, AuditLevels map[string]finding.Level
	// IgnoreAnnotations takes out the findings that annotations of the object ask to ignore
	// (ignore.forestall.dev/RULE: REASON). Whoever writes the object then decides about them.
	IgnoreAnnotations bool
	// Only, if not empty, are the ids of the rules whose findings are told; those of Except never are. All are
	// asked, so that repairs are proved against all.
	Only, Except []string
	// Params overrides parameters, by rule id and name.
	Params map[string]map[string]any
	// Kinds are the kinds of object that are judged; the zero value is the built-in ones.
	Kinds workload.Table
}

// strengths are the levels of a rule: for admission, and for audits.
type strengths struct{ admission, audit finding.Level }

// strengthsOf returns the levels of all rules, as far as they depend on settings alone.
func (s Settings) strengthsOf(catalogue []policy.Rule) (map[string]strengths, error) {
	newer, err := s.newer()
	errs := []error{err}
	out := make(map[string]strengths, len(catalogue))
	for _, rule := range catalogue {
		level := rule.Level
		if l, ok := s.Levels[rule.ID]; ok {
			level = l
		}
		both := strengths{admission: level, audit: level}
		if l, ok := s.AuditLevels[rule.ID]; ok {
			both.audit = l
		}
		if newer(rule) {
			both.admission = finding.Lowest(both.admission, finding.Warn)
			both.audit = finding.Lowest(both.audit, finding.Warn)
		}
		out[rule.ID] = both
	}
	return out, errors.Join(append(errs, s.check(out)...)...)
}

// newer returns a function that reports whether a rule is newer than the pinned version.
func (s Settings) newer() (func(policy.Rule) bool, error) {
	if s.PolicyVersion == "" {
		return func(policy.Rule) bool { return false }, nil
	}
	pinned, err := version.ParseSemantic(s.PolicyVersion)
	if err != nil {
		return func(policy.Rule) bool { return false }, fmt.Errorf("policyVersion: %q is not a version such as v0.1.0", s.PolicyVersion)
	}
	return func(r policy.Rule) bool {
		since, err := version.ParseSemantic(r.Since)
		return err != nil || pinned.LessThan(since)
	}, nil
}

func (s Settings) check(known map[string]strengths) []error {
	var errs []error
	for _, levels := range []map[string]finding.Level{s.Levels, s.AuditLevels} {
		for _, id := range slices.Sorted(maps.Keys(levels)) {
			if _, ok := known[id]; !ok {
				ids := slices.Sorted(maps.Keys(known))
				errs = append(errs, fmt.Errorf("rules.%s: there is no such rule%s", id, similar.Question(id, ids)))
			}
		}
	}
	for _, id := range slices.Concat(s.Only, s.Except) {
		if _, ok := known[id]; !ok {
			errs = append(errs, fmt.Errorf("there is no rule %q%s", id, similar.Question(id, slices.Sorted(maps.Keys(known)))))
		}
	}
	return append(errs, s.checkPatterns()...)
}

// checkPatterns returns an error for each pattern that is none.
func (s Settings) checkPatterns() []error {
	var errs []error
	for _, of := range []struct {
		patterns []string
		problem  string
	}{
		{s.Controllers, "controllers: %q is not a pattern such as system:serviceaccount:operators:*"},
		{slices.Sorted(maps.Keys(s.Assumed.Namespaces)), "%q is not a pattern of namespaces such as team-*"},
		{slices.Sorted(maps.Keys(s.Namespaces)), "namespaces.%s: it is not a pattern such as team-*"},
	} {
		for _, pattern := range of.patterns {
			if _, err := path.Match(pattern, ""); err != nil {
				errs = append(errs, fmt.Errorf(of.problem, pattern))
			}
		}
	}
	return errs
}

// namespaceCap returns the strongest level that is allowed in a namespace: the lowest of the
// mode, the settings for the namespace, and its label.
func (r *Reviewer) namespaceCap(namespace string) finding.Level {
	if assumed := r.settings.Assumed.In(namespace); assumed != "" {
		return assumed
	}
	lowest := finding.Lowest(r.settings.Mode, r.labelled(namespace))
	for pattern, level := range r.settings.Namespaces {
		if ok, _ := path.Match(pattern, namespace); ok { // patterns were checked
			lowest = finding.Lowest(lowest, level)
		}
	}
	return lowest
}

// labelled returns the level that the label of a namespace asks for; empty for none, and for a
// word that is no level. Where the namespace is not known it returns warn: the label may forbid
// denials.
func (r *Reviewer) labelled(namespace string) finding.Level {
	found := r.cluster.Namespace(namespace)
	if found.State == fact.Unknown {
		return finding.Warn
	}
	if found.State == fact.Absent {
		return ""
	}
	level, err := finding.ParseLevel(found.Object.Mode)
	if err != nil {
		return ""
	}
	return level
}
