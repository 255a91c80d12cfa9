# METADATA
# title: Command that never ends where its end is waited for
# description: >-
#   The containers of a pod start only when each init container has ended, and a Job is complete only when each
#   of its containers has. A command that runs until it is stopped keeps the pod or the Job there for ever.
# related_resources:
#   - ref: https://kubernetes.io/docs/concepts/workloads/pods/init-containers/
#     description: Init containers
#   - ref: https://kubernetes.io/docs/concepts/workloads/pods/sidecar-containers/
#     description: Sidecar containers, also in Jobs
#   - ref: https://kubernetes.io/docs/concepts/workloads/controllers/job/
#     description: Jobs
# custom:
#   category: lifecycle
#   concern: lifetime
#   certainty: certain
#   judges:
#     - {of: container, fact: completion.never, state: present}
#   failure: Init:0/1 for ever, or a Job that never completes
#   confirmedBy:
#     - {running: Init}
#     - {running: Job}
#     - {phase: DeadlineExceeded}
#     - {condition: DeadlineExceeded}
#   remediation: Let the command end, or run it as a sidecar (an init container with restartPolicy Always).
#   since: v0.1.0
package forestall.rules["command-never-ends"]

import data.forestall.lib.consequences
import data.forestall.lib.ends
import data.forestall.lib.restarts
import data.forestall.lib.result
import data.forestall.lib.words

report contains result.finding(rego.metadata.chain(), {
	"container": container.name,
	"path": container.completion.never.path,
	"reason": sprintf(_reason[place], [because]),
	"what": _what(container, place),
	"why": sprintf(_why[place], [because]),
	"fix": _fix(container, place),
}) if {
	some container in input.containers
	container.completion.never.state == "present"
	not ends.fails_first(container) # another rule tells that
	place := _place(container)
	_waited_for(place)
	because := container.command.ends.because
}

# Whose end it is that is waited for.
_place(container) := "init" if {
	container.kind == "init"
} else := "job"

# With a deadline, a Job that ends by it may be what is wanted: work for so long and no longer.
_waited_for("init")

_waited_for("job") if not words.deadline

_reason := {"init": "the pod stays in Init, %s", "job": "the Job never completes, %s"}

_why := {
	"init": "%s, and the other containers of the pod start only when each init container has ended.",
	"job": "%s, and a Job is complete only when each container of its pod has ended.",
}

_what(container, "init") := sprintf("kubectl shows %s%s", [consequences.waits_for(container.name), _init])

_what(container, "job") := concat(" ", array.concat([_runs(container)], consequences.next_runs))

_init := sprintf(" %s: its main containers never run.", [restarts.until_deadline]) if {
	words.deadline
} else := sprintf(", for ever: this container runs, and those after it never start. %s", [_follows])

_follows := consequences.never_completes if {
	words.batch
} else := consequences.never_ready("")

_runs(container) := sprintf("kubectl shows the pod as NotReady once %s has ended, and the Job as Running, %s.", [
	others, ends.for_ever(container),
]) if {
	others := words.beside(container.name)
	others != ""
} else := sprintf("kubectl shows the pod and the Job as Running, %s.", [ends.for_ever(container)])

_fix(_, "init") := concat(" ", [
	"let the command end; if it is to run beside the others, set restartPolicy: Always on this init container",
	"(a sidecar, Kubernetes 1.29 and later).",
])

_fix(container, "job") := concat(" ", [
	"move the container to initContainers and set restartPolicy: Always on it (a sidecar, Kubernetes 1.29 and later):",
	sprintf("it then runs beside %s and is stopped when that has ended.", [others]),
]) if {
	others := words.beside(container.name)
	others != ""
} else := "let the command end; if it is to run on, make it a Deployment."
