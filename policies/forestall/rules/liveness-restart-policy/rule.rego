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
#   remediation: Run what serves under restartPolicy Always; bound a Job by activeDeadlineSeconds, not by a liveness probe.
#   since: v0.1.0
#   suggests: true
package forestall.rules["liveness-restart-policy"]

import data.forestall.lib.result
import data.forestall.lib.words

report contains result.finding(rego.metadata.chain(), object.union(_suggestion(container), {
	"container": container.name,
	"path": container.probes.liveness.path,
	"reason": sprintf("%s, restartPolicy is %s", [_reason[container.restartPolicy], container.restartPolicy]),
	"what": _what(container.restartPolicy),
	"why": sprintf("container %q has a liveness probe, its restartPolicy is %s, and %s.", [
		container.name, container.restartPolicy, concat(" and ", _meant_to_run(container)),
	]),
	"fix": _fix(container),
})) if {
	_may_end # the other kinds accept Always alone
	some container in input.containers
	container.restartAlways.state == "absent"
	container.probes.liveness.state == "present"
	not container.probes.liveness.target.state == "absent" # such a probe never fails
	count(_meant_to_run(container)) > 0
}

_may_end if input.workload.kind in {"Pod", "PodTemplate"}

_may_end if words.batch

_reason := {
	"OnFailure": "a liveness failure can end the pod as Succeeded",
	"Never": "the first liveness failure ends the container for good",
}

_what("OnFailure") := concat(" ", [
	"a failure stops the container with SIGTERM; a process that then exits 0 is recorded as Completed.",
	"Once back-off delays a restart, the pod ends as Succeeded and nothing starts it again.",
])

_what("Never") := concat(" ", [
	"a failure stops the container, and it is never started again:",
	"it shows Completed or Error, and with it the pod is not Ready, or ends.",
])

# What tells that the container is meant to run on; none for a task that wants to be stopped when it hangs.
_meant_to_run(container) := array.concat(
	array.concat(_ports(container), _readiness(container)),
	array.concat(_services, _bare),
)

_ports(container) := ["it declares ports" | container.ports.state == "present"]

_readiness(container) := ["it has a readiness probe" | container.probes.readiness.state == "present"]

_services := [sprintf("Service %q selects the pod", [s]) | some s in input.cluster.services]

_bare := ["no controller replaces the pod" | input.workload.bare]

# The kinds that accept Always.
_suggestion(container) := {"suggestions": [{"op": "set", "path": container.restartAlways.path, "value": "Always"}]} if {
	not words.batch
	_accepts_always
} else := {}

_accepts_always if input.workload.bare

_accepts_always if input.workload.kind == "PodTemplate"

_fix(container) := concat(" ", [
	"a Job accepts no restartPolicy: Always. If it is to end, remove the livenessProbe and set",
	"activeDeadlineSeconds; if it is to serve, make it a Deployment.",
]) if {
	words.batch
} else := sprintf("set %s: Always and create the pod anew (the field cannot change), or use a Deployment.", [
	container.restartAlways.path,
]) if {
	input.workload.bare
} else := sprintf("set %s: Always.", [container.restartAlways.path]) if {
	input.workload.kind == "PodTemplate"
} else := "change the object that creates this pod: run what serves under a Deployment, or remove the livenessProbe."
