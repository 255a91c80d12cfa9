# METADATA
# title: Probe of another port than the container's own
# description: >-
#   The container's flags, variables or declared ports name the port that it listens on, and its probe asks the
#   usual one, which nothing in the pod mentions. Often the port was changed and the probe was left behind.
# related_resources:
#   - ref: https://kubernetes.io/docs/concepts/configuration/liveness-readiness-startup-probes/
#     description: Liveness, readiness and startup probes
# custom:
#   category: probes
#   concern: probe-port
#   certainty: likely
#   judges:
#     - {of: container, fact: probedPorts.mentioned, state: absent}
#   failure: never Ready, or restarted for ever
#   confirmedBy:
#     - {event: Unhealthy, message: connection refused}
#     - {event: Unhealthy, message: dial tcp}
#     - {event: Unhealthy, message: Connection refused}
#   remediation: Let the probe ask the port that the container listens on, best by the name of a declared port.
#   since: v0.1.0
package forestall.rules["probe-port-moved"]

import data.forestall.lib.consequences
import data.forestall.lib.ports
import data.forestall.lib.result

report contains result.finding(rego.metadata.chain(), {
	"container": container.name,
	"cause": sprintf("%d", [probed.number]),
	"path": ports.path(probed),
	"reason": sprintf("%s %s port %d, but the container %s", [
		ports.fields(ports.asking(probed)), ports.asks(ports.asking(probed)), probed.number, own.clause,
	]),
	"what": sprintf("if nothing listens on %d, %s", [probed.number, consequences.refused(container, probed)]),
	"why": sprintf("container %q %s. Nothing in the pod's ports, commands, arguments and variables mentions %d.", [
		container.name, own.clause, probed.number,
	]),
	"fix": sprintf("let the probe ask %d; if the container does listen on %d, declare it: ports: [{containerPort: %d}].", [
		own.number, probed.number, probed.number,
	]),
}) if {
	some container in input.containers
	some probed in container.probedPorts
	probed.mentioned.state == "absent"
	not probed.expected.state == "present"
	own := ports.own(container, probed)
}
