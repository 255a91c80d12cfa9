# METADATA
# title: Liveness probe of a port name that its container does not declare
# description: >-
#   A probe that names a port which its own container does not declare errors each time, and the kubelet throws
#   errors away. A liveness probe then never fails: a container that hangs is not restarted, and only events tell.
# related_resources:
#   - ref: https://kubernetes.io/docs/concepts/configuration/liveness-readiness-startup-probes/
#     description: Liveness, readiness and startup probes
#   - ref: https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/prober/worker.go
#     description: doProbe, which throws the result of a probe that errored away
# custom:
#   category: probes
#   concern: probe-port
#   certainty: likely
#   judges:
#     - {of: container, fact: probes.liveness.target, state: absent}
#   failure: a container that hangs is never restarted
#   confirmedBy:
#     - {event: Unhealthy, message: Liveness probe errored}
#   remediation: Give the containerPort that name, or write the port's number in the probe.
#   since: v0.1.0
package forestall.rules["liveness-port-name-undefined"]

import data.forestall.lib.ports
import data.forestall.lib.result

report contains result.finding(rego.metadata.chain(), {
	"container": container.name,
	"cause": probe.port,
	"path": probe.target.path,
	"reason": sprintf("liveness never acts, livenessProbe names port %q, which is not declared", [probe.port]),
	"what": concat(" ", [
		"kubectl shows Running and READY, also when the container hangs: it is never restarted. Event Unhealthy:",
		sprintf("Liveness probe errored and resulted in unknown state: strconv.Atoi: parsing %q.", [probe.port]),
	]),
	"why": sprintf("livenessProbe asks for port %q; container %q %s. A name is looked up there alone.", [
		probe.port,
		container.name,
		ports.declared(container),
	]),
	"fix": ports.name_fix(container, probe.port),
}) if {
	some container in input.containers
	probe := container.probes.liveness
	probe.target.state == "absent"
	not probe.target.refused # then the API server refuses the object
}
