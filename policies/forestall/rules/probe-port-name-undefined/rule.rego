# METADATA
# title: Probe of a port name that its container does not declare
# description: >-
#   A probe may name a port, and the name is looked up among the ports of its own container alone. Where it is
#   not there each probe errors. The kubelet throws errors away, so a readiness or startup probe never passes.
# related_resources:
#   - ref: https://kubernetes.io/docs/concepts/configuration/liveness-readiness-startup-probes/
#     description: Liveness, readiness and startup probes
#   - ref: https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/probe/util.go
#     description: ResolveContainerPort, which looks the name up
#   - ref: https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/prober/worker.go
#     description: doProbe, which throws the result of a probe that errored away
# custom:
#   category: probes
#   concern: probe-port
#   certainty: certain
#   judges:
#     - {of: container, fact: probes.readiness.target, state: absent}
#     - {of: container, fact: probes.startup.target, state: absent}
#   failure: Running, but never Ready
#   remediation: Give the containerPort that name, or write the port's number in the probe.
#   since: v0.1.0
#   suggests: true
package forestall.rules["probe-port-name-undefined"]

import data.forestall.lib.consequences
import data.forestall.lib.ports
import data.forestall.lib.result
import data.forestall.lib.words

report contains result.finding(rego.metadata.chain(), object.union(ports.name_suggestion(container), {
	"container": container.name,
	"cause": port,
	"path": container.probes[first].target.path,
	"reason": sprintf("%s, %sProbe names port %q, which is not declared", [_state(container, first), first, port]),
	"what": _what(container, first, port),
	"why": sprintf("%s %s port %s; container %q %s. A name is looked up there alone.", [
		ports.fields(ports.undefined(container)),
		ports.asks(ports.undefined(container)),
		concat(", ", [sprintf("%q", [name]) | some name in ports.undefined_names(container)]),
		container.name,
		ports.declared(container),
	]),
	"fix": ports.name_fix(container, port),
})) if {
	some container in input.containers
	first := ports.undefined(container)[0]
	_matters(container, first)
	port := container.probes[first].port
}

# Whether a Job's main container is Ready makes no difference to the Job, unless a Service sends to it.
_matters(container, "startup") if container.kind == "sidecar"

_matters(_, probe) if {
	probe in {"startup", "readiness"}
	not words.batch
}

_matters(_, probe) if {
	probe in {"startup", "readiness"}
	count(input.cluster.services) > 0
}

_blocks(container, probe) if {
	container.kind == "sidecar"
	probe == "startup"
}

_state(container, probe) := "the pod stays in Init" if {
	_blocks(container, probe)
} else := "never Ready"

_what(container, probe, port) := sprintf("kubectl shows %s: the containers after %q never start. %s %s", [
	consequences.waits_for(container.name),
	container.name,
	_event(probe, port),
	_follows,
]) if {
	_blocks(container, probe)
} else := sprintf("kubectl shows Running, READY %d/%d and no restarts. %s %s", [
	count(_running) - 1,
	count(_running),
	_event(probe, port),
	consequences.never_ready(container.name),
])

_running := [c | some c in input.containers; c.kind in {"regular", "sidecar"}]

_event(probe, port) := sprintf("Event Unhealthy: %s probe errored and resulted in unknown state: strconv.Atoi: parsing %q.", [
	{"startup": "Startup", "readiness": "Readiness"}[probe], port,
])

_follows := consequences.never_completes if {
	words.batch
} else := consequences.never_ready("")
