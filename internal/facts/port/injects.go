package port

import (
	"slices"
	"strings"
)

// Added returns the annotation that names a number to what is put into the pod later, such as the admin port of a
// mesh's proxy; empty for none.
func (s *Search) Added(number int32) string { return s.added[number] }

func (s *Search) add(text, path string) {
	if !s.Budget.Spend(1 + len(text)/perStep) {
		return
	}
	for n := range Numbers(text) {
		if s.found[n] == nil || s.added[n] != "" {
			continue
		}
		if s.added == nil {
			s.added = map[int32]string{}
		}
		s.added[n] = path
	}
}

// injects tells whether an annotation may configure a container that an admission webhook puts into the pod
// later (config.linkerd.io/admin-port, status.sidecar.istio.io/port). Any domain may be that of a webhook, those
// apart whose annotations describe the containers that stand in the manifest.
func injects(annotation string) bool {
	domain, name, ok := strings.Cut(annotation, "/")
	if !ok || domain == "checksum" || domain == "prometheus.io" {
		return false
	}
	if strings.HasSuffix(domain, "kubernetes.io") || strings.HasSuffix(domain, "k8s.io") {
		return false
	}
	// These tell the proxy which ports the container has: includeInboundPorts, app-port, connect-service-port.
	name = strings.ToLower(name)
	return !slices.ContainsFunc([]string{"bound", "app-port", "service-port"}, func(of string) bool { return strings.Contains(name, of) })
}
