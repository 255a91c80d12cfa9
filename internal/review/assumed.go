package review

import (
	"maps"
	"path"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/forestall/forestall/internal/finding"
)

// Assumed is a mode that is not in force: an audit shows what it would do. Where one is assumed neither the
// configuration nor the label of the namespace caps the levels, and the levels of rules are those of admission. The
// zero value assumes nothing.
type Assumed struct {
	// Everywhere is the mode of all namespaces but those of Namespaces and of kube-system, whose objects no webhook
	// of forestall is asked about; empty for none.
	Everywhere finding.Level
	// Namespaces are the modes of namespaces whose names match a pattern such as team-*. Where several match, the
	// lowest counts.
	Namespaces map[string]finding.Level
}

// String tells what is assumed, such as "deny" or "deny in shop"; empty for nothing.
func (a Assumed) String() string {
	var all []string
	if a.Everywhere != "" {
		all = append(all, string(a.Everywhere))
	}
	for _, pattern := range slices.Sorted(maps.Keys(a.Namespaces)) {
		all = append(all, string(a.Namespaces[pattern])+" in "+pattern)
	}
	return strings.Join(all, ", ")
}

// In returns the mode that is assumed for a namespace; empty for none.
func (a Assumed) In(namespace string) finding.Level {
	if namespace == "" {
		namespace = metav1.NamespaceDefault
	}
	var lowest finding.Level
	for pattern, level := range a.Namespaces {
		if ok, _ := path.Match(pattern, namespace); ok { // patterns were checked
			lowest = finding.Lowest(lowest, level)
		}
	}
	if lowest == "" && namespace != metav1.NamespaceSystem {
		return a.Everywhere
	}
	return lowest
}

// strength returns the level of a rule in a namespace, before all caps.
func (r *Reviewer) strength(rule string, o Operation, namespace string) finding.Level {
	if o == Audit && r.settings.Assumed.In(namespace) == "" {
		return r.levels[rule].audit
	}
	return r.levels[rule].admission
}
