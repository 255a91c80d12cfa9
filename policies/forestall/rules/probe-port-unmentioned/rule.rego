# METADATA
# title: Probe of a port that nothing else mentions
# description: >-
#   A container declares its ports, and its probe asks another one. Nothing in the pod's ports, commands, arguments
#   and variables mentions that number, so nothing shows that somebody listens there.
# related_resources:
#   - ref: https://kubernetes.io/docs/concepts/configuration/liveness-readiness-startup-probes/
#     description: Liveness, readiness and startup probes
# custom:
#   category: probes
#   concern: probe-port
#   certainty: possible
#   judges:
#     - {of: container, fact: probedPorts.mentioned, state: absent}
#   failure: never Ready, or restarted for ever
#   confirmedBy:
#     - {event: Unhealthy, message: connection refused}
#     - {event: Unhealthy, message: dial tcp}
#   remediation: Let the probe ask a port that the container listens on, and declare that port.
#   since: v0.1.0
package forestall.rules["probe-port-unmentioned"]

import data.forestall.lib.consequences
import data.forestall.lib.ports
import data.forestall.lib.result

report contains result.finding(rego.metadata.chain(), {
	"container": container.name,
	"cause": sprintf("%d", [probed.number]),
	"path": ports.path(probed),
	"reason": sprintf("%s %s port %d, which nothing else in the pod mentions", [
		ports.fields(ports.asking(probed)), ports.asks(ports.asking(probed)), probed.number,
	]),
	"what": sprintf("if nothing listens on %d, %s", [probed.number, consequences.refused(container, probed)]),
	"why": sprintf("container %q %s. Nothing in the pod's ports, commands, arguments and variables mentions %d.", [
		container.name, ports.declared(container), probed.number,
	]),
	"fix": concat(" ", [
		sprintf("if the container listens on %d, declare it: ports: [{containerPort: %d}];", [probed.number, probed.number]),
		sprintf("otherwise let the probe ask %d.", [container.ports.declared[0].number]),
	]),
}) if {
	some container in input.containers
	container.ports.state == "present" # where no port is declared, one more says nothing
	some probed in container.probedPorts
	probed.mentioned.state == "absent"
	not probed.expected.state == "present"
	not ports.injected(probed.number)
	some asks in probed.probes
	asks.handler != "exec"
}
