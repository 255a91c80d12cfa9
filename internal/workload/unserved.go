package workload

import (
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Unserved says that no API server serves the kind of an object in the version in which it is written.
type Unserved struct {
	// Kind as it is written.
	Kind string
	// Since is the first version of Kubernetes without it; empty where none is known to have had it.
	Since string
	// Write is what to write in its place.
	Write metav1.TypeMeta
	// NeedsSelector is true where that asks for a selector, and the object has none.
	NeedsSelector bool
}

// removed is a version of a kind that API servers have served.
type removed struct{ apiVersion, kind, since string }

const removedCount = 11

// removals are the versions of the built-in kinds that were removed
// (https://kubernetes.io/docs/reference/using-api/deprecation-guide/; batch/v2alpha1: CHANGELOG-1.21.md).
func removals() [removedCount]removed {
	return [removedCount]removed{
		{"extensions/v1beta1", "Deployment", "1.16"},
		{"extensions/v1beta1", "DaemonSet", "1.16"},
		{"extensions/v1beta1", "ReplicaSet", "1.16"},
		{"apps/v1beta1", "Deployment", "1.16"},
		{"apps/v1beta1", "StatefulSet", "1.16"},
		{"apps/v1beta2", "Deployment", "1.16"},
		{"apps/v1beta2", "StatefulSet", "1.16"},
		{"apps/v1beta2", "DaemonSet", "1.16"},
		{"apps/v1beta2", "ReplicaSet", "1.16"},
		{"batch/v1beta1", "CronJob", "1.25"},
		{"batch/v2alpha1", "CronJob", "1.21"},
	}
}

// successor finds the built-in kind that is meant by two fields which name no kind that is served: one of a version that
// was removed, of another group, or in other letters. In groups with a dot custom kinds may have any name
// (k8s.io/apiextensions-apiserver pkg/apis/apiextensions/validation/validation.go).
func successor(apiVersion, kind string) (Kind, *Unserved) {
	group, _, ok := strings.Cut(apiVersion, "/")
	if ok && strings.Contains(group, ".") {
		return Kind{}, nil
	}
	for _, k := range kinds() {
		if strings.EqualFold(k.Kind, kind) {
			return k, &Unserved{Kind: kind, Since: since(apiVersion, kind), Write: metav1.TypeMeta{APIVersion: k.APIVersion(), Kind: k.Kind}}
		}
	}
	return Kind{}, nil
}

func since(apiVersion, kind string) string {
	for _, r := range removals() {
		if r.apiVersion == apiVersion && r.kind == kind {
			return r.since
		}
	}
	return ""
}
