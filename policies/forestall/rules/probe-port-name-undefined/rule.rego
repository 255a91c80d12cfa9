# METADATA
# title: Probe of a port name that its container does not declare
# description: >-
#   A probe may name a port, and the name is looked up among the ports of its own container alone. Where it is
#   not there each probe errors. The kubelet throws errors away, so a readiness or startup probe never passes. The
#   API server refuses names that no port can have.
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
#     - {of: container, fact: probes.liveness.target, state: absent}
#   failure: never Ready, or refused by the API server
#   confirmedBy: [{event: Unhealthy, message: errored and resulted in unknown state}]
#   remediation: Give the containerPort that name, or write the port's number in the probe.
#   since: v0.1.0
#   suggests: true
package forestall.rules["probe-port-name-undefined"]

import data.forestall.lib.consequences
import data.forestall.lib.ports
import data.forestall.lib.result
import data.forestall.lib.words

report contains result.finding(rego.metadata.chain(), object.union_n([
	ports.name_suggestion(container), _told(container, undefined, port), {
		"container": container.name,
		"cause": port,
		"path": container.probes[undefined[0]].target.path,
		"fix": ports.name_fix(container, port),
	},
])) if {
	some container in input.containers
	undefined := ports.undefined(container)
	_matters(container, undefined[0])
	port := container.probes[undefined[0]].port
}

_told(container, undefined, port) := {
	"reason": sprintf("the API server refuses it, %sProbe names port %q", [undefined[0], port]),
	"what": sprintf("kubectl apply ends with an error: %s: Invalid value: %q: %s.", [target.path, port, target.refused]),
	"why": sprintf("%s %s a port by a name that no port can have.", [ports.fields(undefined), ports.asks(undefined)]),
} if {
	target := container.probes[undefined[0]].target
	target.refused
} else := {
	"reason": sprintf("%s, %sProbe names port %q, which is not declared", [_state[held], first, port]),
	"what": concat(" ", [_shows(container, held), sprintf(_event, [_title[first], port]), _follows(container, held)]),
	"why": sprintf("%s %s port %s; container %q %s. A name is looked up there alone.", [
		ports.fields(undefined), ports.asks(undefined),
		concat(", ", [sprintf("%q", [name]) | some name in ports.undefined_names(container)]),
		container.name, ports.declared(container),
	]),
} if {
	first := undefined[0]
	held := [container.kind, first] == ["sidecar", "startup"]
}

# Whether a Job's main container is Ready makes no difference to the Job, unless a Service sends to it.
_matters(container, "startup") if container.kind == "sidecar"

_matters(container, probe) if container.probes[probe].target.refused

_matters(_, probe) if {
	probe in {"startup", "readiness"}
	not words.batch
}

_matters(_, probe) if {
	probe in {"startup", "readiness"}
	count(input.cluster.services) > 0
}

_state := {true: "the pod stays in Init", false: "never Ready"}

_shows(container, true) := sprintf("kubectl shows %s: the containers after %q never start.", [
	consequences.waits_for(container.name), container.name,
])

_shows(_, false) := sprintf("kubectl shows Running, READY %d/%d and no restarts.", [_running - 1, _running])

_running := count([1 | some c in input.containers; c.kind in {"regular", "sidecar"}])

_event := "Event Unhealthy: %s probe errored and resulted in unknown state: strconv.Atoi: parsing %q."
_title := {"startup": "Startup", "readiness": "Readiness"}

_follows(container, false) := consequences.never_ready(container.name)

_follows(_, true) := consequences.never_completes if {
	words.batch
} else := consequences.never_ready("")
