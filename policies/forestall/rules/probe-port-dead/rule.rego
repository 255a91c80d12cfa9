# METADATA
# title: Probe of a port on which nothing listens
# description: >-
#   A probe asks a port of its pod, the container's command is known to open no port at all, and no other container of
#   the pod is meant to listen there. Each probe is refused: never Ready, or restarted for ever.
# related_resources:
#   - ref: https://kubernetes.io/docs/concepts/configuration/liveness-readiness-startup-probes/
#     description: Liveness, readiness and startup probes
#   - ref: https://kubernetes.io/docs/concepts/workloads/pods/#pod-networking
#     description: The containers of a pod share its network
# custom:
#   category: probes
#   concern: probe-port
#   certainty: certain
#   judges:
#     - {of: container, fact: probedPorts.listener, state: absent}
#   failure: never Ready, or restarted for ever
#   confirmedBy:
#     - {event: Unhealthy, message: connection refused}
#     - {event: Unhealthy, message: dial tcp}
#   remediation: Move the probe to the container that listens, or remove it.
#   since: v0.1.0
package forestall.rules["probe-port-dead"]

import data.forestall.lib.consequences
import data.forestall.lib.ports
import data.forestall.lib.restarts
import data.forestall.lib.result
import data.forestall.lib.words

report contains result.finding(rego.metadata.chain(), {
	"container": container.name,
	"cause": sprintf("%d", [probed.number]),
	"path": ports.path(probed),
	"reason": sprintf("%s, nothing listens on port %d", [_ends(container, matters), probed.number]),
	"what": consequences.refused(container, probed),
	"why": sprintf("%s %s port %d, and container %q opens no port; %s.", [
		ports.fields(ports.asking(probed)), ports.asks(ports.asking(probed)), probed.number, container.name, ports.elsewhere,
	]),
	"fix": _fix(container, probed),
}) if {
	not ports.anywhere
	some container in input.containers
	container.listens.state == "absent"
	not container.command.ends.state == "present" # then that it ends is the cause
	some probed in container.probedPorts
	matters := _matters(container, probed)
	count(matters) > 0
	not ports.injected(probed.number)
	not ports.answered(probed)
}

# The probes that change something. A command may ask for more than the port; readiness makes no difference to a Job
# that no Service sends to; and a liveness probe may be switched off by its numbers.
_matters(container, probed) := {asks.probe |
	some asks in probed.probes
	asks.handler != "exec"
	_counts(container, asks.probe)
}

_counts(_, "startup")

_counts(container, "liveness") if not container.probes.liveness.patience.endless

_counts(_, "readiness") if not words.batch

_counts(_, "readiness") if count(input.cluster.services) > 0

_ends(container, matters) := concat(" and ", array.concat(
	["never Ready" | count(matters & {"startup", "readiness"}) > 0],
	[restarts.stopped(container) | _stops(container, matters)],
))

_stops(container, matters) if {
	some probe in (matters - {"readiness"})
	not container.probes[probe].patience.endless
}

_fix(container, probed) := sprintf("remove %s from %q, or ask a port where something listens: %s.", [
	ports.fields(ports.asking(probed)), container.name, concat(", ", ports.places),
]) if {
	count(ports.listeners) > 0
} else := sprintf("remove %s from %q, or let its command run what listens on %d.", [
	ports.fields(ports.asking(probed)), container.name, probed.number,
])
