package cluster

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/forestall/forestall/internal/apijson"
)

// makers are the objects of unknown custom kinds, by namespace. An operator may make pods of
// any of them, with any labels. The zero value holds none.
type makers struct {
	mu  sync.RWMutex
	one map[string]string // by namespace, what is told of the first
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
	s.podsIn.add(o.Namespace, kind, o.Name)
	s.makers.note(orDefault(o.Namespace), kind, o.Name, group)
}

// note notes an object, unless one of the namespace is known already.
func (m *makers) note(namespace, kind, name, group string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.one == nil {
		m.one = map[string]string{}
	}
	if m.one[namespace] == "" {
		m.one[namespace] = fmt.Sprintf("%s %q of %s may make pods", kind, name, group)
	}
}

// maker says why a namespace may have pods that come from no known template; empty where it has
// none.
func (s *Store) maker(namespace string) string {
	s.makers.mu.RLock()
	defer s.makers.mu.RUnlock()
	return s.makers.one[namespace]
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
