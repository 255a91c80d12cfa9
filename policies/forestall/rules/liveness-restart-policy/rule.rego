# METADATA
# title: Liveness probe in a pod that does not restart
# description: >-
#   A failing liveness probe stops the container, and the restart policy decides what follows. Under Never it
#   stays stopped. Under OnFailure a process that exits 0 on SIGTERM counts as completed. Either way the
#   pod can end for good at the first hiccup of a server that was meant to run on.
# related_resources:
#   - ref: https://kubernetes.io/docs/concepts/configuration/liveness-readiness-startup-probes/
#     description: Liveness, readiness and startup probes
#   - ref: https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#restart-policy
#     description: Container restart policy
# custom:
#   category: probes
#   concern: liveness
#   certainty: likely
#   judges:
#     - {of: container, fact: restartAlways, state: absent}
#   failure: the pod ends as Succeeded or Failed, and nothing restarts it
#   confirmedBy:
#     - {phase: Succeeded}
#     - {phase: Failed}
#   remediation: >-
#     Run what serves under restartPolicy Always; bound a Job by activeDeadlineSeconds, not by a liveness probe.
#   since: v0.1.0
package forestall.rules["liveness-restart-policy"]

import data.forestall.lib.result
import data.forestall.lib.serving
import data.forestall.lib.words

report contains result.finding(rego.metadata.chain(), {
	"container": container.name,
	"path": container.probes.liveness.path,
	"reason": sprintf(_reason[container.restartPolicy], [container.restartPolicy]),
	"what": concat(" ", _what(container.restartPolicy)),
	"why": sprintf("container %q has a liveness probe, its restartPolicy is %s, and %s.", [
		container.name, container.restartPolicy, concat(" and ", meant),
	]),
	"fix": _fix(container),
}) if {
	words.may_end # the other kinds accept Always alone
	some container in input.containers
	container.restartAlways.state == "absent"
	container.probes.liveness.state == "present"
	not container.probes.liveness.target.state == "absent" # such a probe never fails
	not container.probes.liveness.patience.endless # and such a one is switched off
	meant := serving.runs_on(container)
	count(meant) > 0
}

_reason := {
	"OnFailure": "a liveness failure can end the pod as Succeeded, restartPolicy is %s",
	"Never": "the first liveness failure ends the container for good, restartPolicy is %s",
}

_what("OnFailure") := [
	"a failure stops the container with SIGTERM; a process that then exits 0 is recorded as Completed.",
	"Once back-off delays a restart, the pod ends as Succeeded and nothing starts it again.",
]

_what("Never") := [
	"a failure stops the container with SIGTERM; a process that then exits 0 completes the Job, and nothing serves any",
	"more. After another exit code the Job starts another pod, up to backoffLimit.",
] if {
	words.batch
} else := [
	"a failure stops the container, and it is never started again:",
	"it shows Completed (NotReady beside others) or Error, and with it the pod is not Ready, or ends.",
]

_way := "bare" if input.workload.bare

else := input.workload.kind

_fix(container) := sprintf(_always[_way], [container.restartAlways.path]) if {
	_always[_way]
} else := "change what creates this pod: run what serves under a Deployment, or remove the livenessProbe." if {
	_way == "Pod"
} else := concat(" ", [
	"a Job accepts no restartPolicy: Always. If it is to end, remove the livenessProbe and set",
	"activeDeadlineSeconds; if it is to serve, make it a Deployment.",
])

_always := {
	"bare": "set %s: Always and create the pod anew (the field cannot change), or use a Deployment.",
	"PodTemplate": "set %s: Always.",
}
