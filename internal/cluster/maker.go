package cluster

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/forestall/forestall/internal/apijson"
)

// makers tell why the pods of a namespace may not be known. The zero value tells nothing.
type makers struct {
	mu sync.RWMutex
	// custom has, by namespace, what is told of an object of an unknown custom kind: an operator
	// may make pods of it, with any labels.
	custom map[string]string
	// placed and unplaced name the first object that makes pods with a namespace, and without one.
	// Where both are there, kubectl's -n may bring them into one namespace.
	placed, unplaced string
}

// addMaker notes an object of a custom kind, unless it is known to make no pods.
func (s *Store) addMaker(apiVersion, kind string, raw []byte) {
	group, _, _ := strings.Cut(apiVersion, "/")
	if !isCustom(group) || makesNoPods(group, kind) {
		return
	}
	var o struct {
		metav1.ObjectMeta `json:"metadata"`
	}
	if apijson.Unmarshal(raw, &o) != nil {
		o.Name = "?"
	}
	s.makers.place(o.Namespace, kind, o.Name)
	s.makers.mu.Lock()
	defer s.makers.mu.Unlock()
	if s.makers.custom == nil {
		s.makers.custom = map[string]string{}
	}
	if namespace := orDefault(o.Namespace); s.makers.custom[namespace] == "" {
		s.makers.custom[namespace] = fmt.Sprintf("%s %q of %s may make pods", kind, o.Name, group)
	}
}

// place notes where an object that makes pods is; the namespace is empty where it is not written.
func (m *makers) place(namespace, kind, name string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	first := &m.placed
	if namespace == "" {
		first = &m.unplaced
	}
	if *first == "" {
		*first = fmt.Sprintf("%s %q", kind, name)
	}
}

// why says why a namespace may have pods that come from no known template; empty where it has
// none. The namespace is empty where it is not written.
func (m *makers) why(namespace string) string {
	m.mu.RLock()
	defer m.mu.RUnlock()
	switch custom := m.custom[orDefault(namespace)]; {
	case custom != "":
		return custom
	case namespace == "" && m.placed != "":
		return "this object has no namespace, and " + m.placed + " has"
	case namespace != "" && m.unplaced != "":
		return m.unplaced + " has no namespace: it may be meant for this one"
	}
	return ""
}

// isCustom reports whether a group may be that of a custom resource: those of Kubernetes itself
// have no dot, or end in k8s.io. Projects of its community use x-k8s.io
// (https://github.com/kubernetes/enhancements, KEP-2337).
func isCustom(group string) bool {
	return strings.Contains(group, ".") && (!strings.HasSuffix(group, ".k8s.io") || strings.HasSuffix(group, ".x-k8s.io"))
}

// makesNoPods names custom kinds of wide use that only configure something.
func makesNoPods(group, kind string) bool {
	if slices.Contains([]string{
		"cert-manager.io", "acme.cert-manager.io", "networking.istio.io", "security.istio.io", "telemetry.istio.io",
		"external-secrets.io", "traefik.io", "cilium.io", "projectcalico.org", "kyverno.io", "image.toolkit.fluxcd.io",
	}, group) {
		return true
	}
	return slices.Contains([]string{
		"ServiceMonitor", "PodMonitor", "PrometheusRule", "ScrapeConfig", "SealedSecret", "ScaledObject",
		"TriggerAuthentication", "AnalysisTemplate", "Route", "ImageStream", "HTTPProxy",
	}, kind)
}
