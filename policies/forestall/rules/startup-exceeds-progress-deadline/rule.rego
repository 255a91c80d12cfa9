# METADATA
# title: Start-up that may outlast the roll-out's deadline
# description: >-
#   A Deployment reports its roll-out as failed when no pod has become Ready for progressDeadlineSeconds. Where the
#   startup probe allows as long, the roll-out of a start that takes all of it is reported as failed.
# related_resources:
#   - ref: https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#progress-deadline-seconds
#     description: Progress deadline of a Deployment
#   - ref: https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/controller/deployment/util/deployment_util.go
#     description: DeploymentProgressing and DeploymentTimedOut, what counts as progress
# custom:
#   category: probes
#   concern: startup-timing
#   certainty: possible
#   judges:
#     - {of: workload, fact: outlastsDeadline, state: present}
#   failure: ProgressDeadlineExceeded
#   confirmedBy:
#     - {condition: ProgressDeadlineExceeded}
#   remediation: Set progressDeadlineSeconds above the time that the startup probe allows.
#   since: v0.1.0
#   suggests: true
package forestall.rules["startup-exceeds-progress-deadline"]

import data.forestall.lib.result
import data.forestall.lib.words

# The scheduler, the pull of the image and the init containers take their time too.
_margin_seconds := 300

report contains result.finding(rego.metadata.chain(), {
	"container": container.name,
	"path": startup.path,
	"reason": sprintf("ProgressDeadlineExceeded after %s, starting may take %s", [
		words.duration(deadline), words.duration(budget),
	]),
	"what": concat(" ", [
		sprintf("a start that takes longer than %s is reported as a failed roll-out:", [words.duration(deadline)]),
		"condition Progressing is False, ProgressDeadlineExceeded, and kubectl rollout status ends with an error.",
		"The pod goes on and may become Ready later.",
	]),
	"why": sprintf("startupProbe allows %s (%s %d + periodSeconds %d x failureThreshold %d); %s is %d.", [
		words.duration(budget), "initialDelaySeconds", _delay(startup), startup.periodSeconds, startup.failureThreshold,
		"progressDeadlineSeconds", deadline,
	]),
	"fix": concat(" ", [
		sprintf("set spec.progressDeadlineSeconds: %d,", [_enough]),
		"or a smaller failureThreshold if starting never takes that long.",
	]),
	"suggestions": [{"op": "set", "path": "spec.progressDeadlineSeconds", "value": _enough}],
}) if {
	some container in input.containers
	startup := container.probes.startup
	budget := _slow[startup.path]
	deadline := input.workload.rollout.progressDeadlineSeconds
}

# The same for all containers, since there is one deadline; the API takes no larger one.
_enough := min({2147483647, max([seconds | some seconds in _slow]) + _margin_seconds})

# How long the slow ones take, put together once for all containers.
_slow := {slow.path: slow.seconds | some slow in input.workload.outlastsDeadline.probes}

_delay(probe) := probe.initialDelaySeconds if {
	probe.initialDelaySeconds
} else := 0
