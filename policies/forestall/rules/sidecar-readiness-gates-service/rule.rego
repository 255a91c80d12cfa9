# METADATA
# title: Readiness of a helper container that decides over the Service
# description: >-
#   A pod is Ready when all its containers are. A Service sends to one container, and the readiness probe of a helper
#   beside it takes the whole pod out of the Service whenever the helper is not ready.
# related_resources:
#   - ref: https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#pod-conditions
#     description: Pod conditions, Ready
#   - ref: https://kubernetes.io/docs/concepts/configuration/liveness-readiness-startup-probes/
#     description: Liveness, readiness and startup probes
# custom:
#   category: probes
#   concern: probe-port
#   certainty: possible
#   judges:
#     - {of: container, fact: gate, state: present}
#   failure: the Service has no ready endpoint, although its container works
#   confirmedBy:
#     - {condition: ContainersNotReady}
#   remediation: Remove the readiness probe of the helper, unless requests pass through it.
#   since: v0.1.0
package forestall.rules["sidecar-readiness-gates-service"]

import data.forestall.lib.consequences
import data.forestall.lib.result

report contains result.finding(rego.metadata.chain(), {
	"container": container.name,
	"cause": _asked(container.probes.readiness),
	"path": container.gate.path,
	"reason": sprintf("its readiness takes %q out of %s", [container.gate.to, services]),
	"what": sprintf("while %q is not ready, %q gets no requests however well it works. %s", [
		container.name,
		container.gate.to,
		consequences.never_ready(container.name),
	]),
	"why": concat(" ", [
		sprintf("%s sends to container %q;", [services, container.gate.to]),
		sprintf("container %q has a readinessProbe,", [container.name]),
		"and none of the ports that are sent to.",
	]),
	"fix": concat(" ", [
		sprintf("if requests do not pass through %q, remove its readinessProbe;", [container.name]),
		"a livenessProbe restarts it where it hangs.",
	]),
}) if {
	some container in input.containers
	container.gate.state == "present"
	not _in_the_way(container)
	not _main(container)
	services := _services(container.gate)
}

_services(gate) := concat("", [concat(", ", [sprintf("Service %q", [name]) | some name in gate.services]), _more(gate)])

_more(gate) := sprintf(" and %d others", [gate.moreServices]) if {
	gate.moreServices > 0
} else := ""

_asked(probe) := sprintf("%d", [probe.target.number]) if {
	probe.target.number
} else := object.get(probe, "port", "")

# Requests may pass through a proxy without a port of the Service: a mesh redirects them, and without the proxy they
# fail.
_in_the_way(container) if {
	some word in ["proxy", "envoy", "linkerd", "istio", "consul", "kuma", "dapr", "mesh", "gateway", "nginx", "traefik"]
	some text in [container.name, object.get(container.image, "text", "")]
	contains(lower(text), word)
}

# The first container is the main one by convention: kubectl logs and exec choose it. What the Service sends to is then
# its front, and useless without it. A few put their helpers first, whose names say so.
_main(container) if {
	container.name == _first
	every word in _helps { not contains(lower(container.name), word) }
}

_first := [c.name | some c in input.containers; c.kind == "regular"][0]

_helps := ["agent", "backup", "config", "export", "log", "metric", "monitor", "reload", "sidecar", "sync", "watch"]
