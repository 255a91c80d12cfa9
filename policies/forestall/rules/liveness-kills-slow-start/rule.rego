# METADATA
# title: Liveness probe that leaves no time to start
# description: >-
#   A liveness probe asks from the container's start on, unless a startup probe holds it back. Where it gives up
#   within seconds, a start that is once slower than usual is ended, and the next one may be no faster.
# related_resources:
#   - ref: https://kubernetes.io/docs/concepts/configuration/liveness-readiness-startup-probes/
#     description: Liveness, readiness and startup probes
#   - ref: https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/prober/worker.go
#     description: run and doProbe, when the kubelet asks and when it acts
# custom:
#   category: probes
#   concern: liveness-timing
#   certainty: likely
#   judges:
#     - {fact: probes.hasty, state: present}
#   failure: CrashLoopBackOff
#   remediation: Add a startupProbe that asks the same and allows minutes; liveness begins when it has passed.
#   since: v0.1.0
#   suggests: true
package forestall.rules["liveness-kills-slow-start"]

import data.forestall.lib.consequences
import data.forestall.lib.result

# A few seconds: an image that has just been pulled, a node under load or a CPU limit make starts that much slower.
_few_seconds := 10

report contains result.finding(rego.metadata.chain(), object.union(_finding(container), {
	"container": container.name,
	"path": container.probes.liveness.path,
	"why": sprintf("%s, periodSeconds %d, failureThreshold %d, timeoutSeconds %d, and no startupProbe.", [
		_delay(container.probes.liveness),
		container.probes.liveness.periodSeconds,
		container.probes.liveness.failureThreshold,
		container.probes.liveness.timeoutSeconds,
	]),
})) if {
	some container in input.containers
	container.probes.hasty.state == "present"
	container.probes.liveness.target.state != "absent" # such a probe never fails
}

_finding(container) := {
	"reason": sprintf("killed unless it answers within %ds of its start", [most]),
	"what": sprintf("the kubelet stops the container between %ds and %ds after its start unless liveness passes: %s", [
		container.probes.liveness.patience.atLeastSeconds,
		most,
		consequences.restarted(container),
	]),
	"fix": concat(" ", [
		"add a startupProbe with the same", container.probes.liveness.handler,
		"and failureThreshold: 30, periodSeconds: 5. Starting may then take 150s, and liveness begins when it is done.",
	]),
	"suggestions": _startup_probe(container),
} if {
	most := container.probes.liveness.patience.atMostSeconds
	most <= _few_seconds
} else := {
	"reason": "one liveness probe slower than 1s restarts it",
	"what": sprintf("a single answer that takes longer than a second, under load or during start, stops the container: %s", [
		consequences.restarted(container),
	]),
	"fix": "set failureThreshold: 3 and timeoutSeconds: 5, so that one slow answer does not end the container.",
	"suggestions": [
		{"op": "set", "path": concat("", [container.probes.liveness.path, ".failureThreshold"]), "value": 3},
		{"op": "set", "path": concat("", [container.probes.liveness.path, ".timeoutSeconds"]), "value": 5},
	],
} if {
	container.probes.liveness.failureThreshold == 1
	container.probes.liveness.timeoutSeconds == 1
}

_delay(probe) := sprintf("initialDelaySeconds %d", [probe.initialDelaySeconds]) if {
	probe.initialDelaySeconds
} else := "initialDelaySeconds 0"

_startup_probe(container) := [{
	"op": "add",
	"path": concat("", [container.path, ".startupProbe"]),
	"value": {handler: _handler(asked[handler]), "failureThreshold": 30, "periodSeconds": 5},
} |
	handler := container.probes.liveness.handler
	asked := _written[container.name][0]
]

# The liveness probes by container, in lists so that two of one name are not merged; put together once for all of them.
_written := object.union_n(array.reverse([{written.name: [written.livenessProbe]} |
	some list in ["initContainers", "containers"]
	some written in input.pod.spec[list]
	written.livenessProbe
]))

# Without the defaults, which nobody writes.
_handler(asked) := {field: value |
	some field, value in asked
	not _default[field] == value
}

_default := {"scheme": "HTTP", "path": "/", "service": ""}
