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
#     - {of: container, fact: probes.duringStart, state: present, atMost: seconds}
#     - {of: container, fact: probes.duringStart.once, state: present}
#   failure: CrashLoopBackOff
#   confirmedBy:
#     - {event: Killing, message: failed liveness probe}
#   remediation: Add a startupProbe that asks the same and allows minutes; liveness begins when it has passed.
#   since: v0.1.0
#   suggests: true
#   params:
#     seconds:
#       type: integer
#       default: 10
#       description: >-
#         The time to start, in seconds, that is too short. An image that has just been pulled, a node under load or a
#         CPU limit make starts slower by that.
package forestall.rules["liveness-kills-slow-start"]

import data.forestall.lib.consequences
import data.forestall.lib.result
import data.forestall.lib.starts
import data.forestall.lib.words

report contains result.finding(rego.metadata.chain(), object.union(_hasty(container), {
	"container": container.name,
	"path": container.probes.liveness.path,
	"why": sprintf("%s %d, periodSeconds %d, failureThreshold %d, timeoutSeconds %d, and no startupProbe.", [
		"initialDelaySeconds", _delay(probe), probe.periodSeconds, probe.failureThreshold, probe.timeoutSeconds,
	]),
})) if {
	some container in input.containers
	container.probes.duringStart.state == "present"
	probe := container.probes.liveness
	probe.target.state != "absent" # such a probe never fails
}

_hasty(container) := {
	"reason": sprintf("killed unless it answers within %s of its start", [words.duration(patience.atMostSeconds)]),
	"what": sprintf("the kubelet stops the container between %s and %s after its start unless liveness passes: %s", [
		words.duration(patience.atLeastSeconds), words.duration(patience.atMostSeconds), consequences.restarted(container),
	]),
	"fix": starts.later(container),
	"suggestions": starts.probe(container),
} if {
	patience := container.probes.liveness.patience
	patience.atMostSeconds <= input.params["liveness-kills-slow-start"].seconds
} else := {
	"reason": "one liveness probe slower than 1s restarts it",
	"what": concat(" ", [
		"a single answer that takes longer than a second, under load or during start, stops the container:",
		consequences.restarted(container),
	]),
	"fix": "set failureThreshold: 3 and timeoutSeconds: 5, so that one slow answer does not end the container.",
	"suggestions": [{"op": "set", "path": concat(".", [container.probes.liveness.path, field]), "value": value} |
		some field, value in {"failureThreshold": 3, "timeoutSeconds": 5}
	],
} if {
	container.probes.liveness.failureThreshold == 1
	container.probes.liveness.timeoutSeconds == 1
}

_delay(probe) := probe.initialDelaySeconds if {
	probe.initialDelaySeconds
} else := 0
