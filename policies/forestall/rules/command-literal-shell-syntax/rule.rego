# METADATA
# title: Shell syntax that no shell reads
# description: >-
#   A command runs as the list that it is. Operators such as &&, variables such as $NAME and quotes mean
#   something to a shell alone; without one, the program gets them as text.
# related_resources:
#   - ref: https://kubernetes.io/docs/tasks/inject-data-application/define-command-argument-container/
#     description: Define a command and arguments for a container, run a command in a shell
#   - ref: https://kubernetes.io/docs/tasks/inject-data-application/define-interdependent-environment-variables/
#     description: References to variables, $(NAME)
# custom:
#   category: command
#   concern: argv
#   certainty: likely
#   judges:
#     - {of: container, fact: slips.literal, state: present}
#   failure: Error or CrashLoopBackOff, with a message about an unknown argument
#   confirmedBy:
#     - {terminated: Error, exitCode: 1}
#     - {terminated: Error, exitCode: 2}
#     - {event: Unhealthy}
#   remediation: Run the line as one script after sh -c; write $(NAME) where Kubernetes can replace a variable.
#   since: v0.1.0
#   suggests: true
package forestall.rules["command-literal-shell-syntax"]

import data.forestall.lib.consequences
import data.forestall.lib.execs
import data.forestall.lib.result
import data.forestall.lib.status

report contains result.finding(rego.metadata.chain(), object.union(execs.suggestion(container, slip), {
	"container": container.name,
	"cause": slip.path,
	"path": slip.path,
	"reason": _reason(slip),
	"what": concat(" ", [_gets(slip), _shows(container, slip.role)]),
	"why": sprintf("no shell reads this %s, so nobody takes %s apart or replaces it.", [_list(slip), _word(slip)]),
	"fix": _fix(slip),
})) if {
	some container in input.containers
	some slip in container.slips.literal.found
}

_reason(slip) := sprintf("%s is one argument, %s", [_word(slip), execs.glued(slip).reason]) if {
	slip.form == "glued"
} else := sprintf("%s gets %s as it is, no shell reads this command", [slip.program, _word(slip)])

_word(slip) := sprintf("%q", [slip.word])

_list(slip) := "command" if slip.role == "command"

_list(slip) := sprintf("command of the %s", [slip.role]) if slip.role != "command"

_gets(slip) := sprintf("%s takes %s and all that follows for its own arguments, and no second command runs.", [
	slip.program, _word(slip),
]) if {
	slip.form == "operator"
} else := execs.glued(slip).what if {
	slip.form == "glued"
} else := sprintf("%s works with this text in the place of the value.", [slip.program])

_shows(container, "command") := sprintf("Where that fails, kubectl shows %s%s, and kubectl logs what it says.", [
	status.of(container, "Error"), _back_off(container),
])

_shows(container, role) := sprintf("If it fails, kubectl describe shows Unhealthy, and the container is stopped: %s", [
	consequences.restarted(container),
]) if {
	role in {"livenessProbe", "startupProbe"}
}

_shows(_, "readinessProbe") := "If it fails, kubectl describe shows Unhealthy, and the container is never Ready."

_shows(container, "postStart") := concat(" ", [
	"If it fails, kubectl describe shows FailedPostStartHook, and the container is stopped:",
	consequences.restarted(container),
])

_shows(_, "preStop") := "If it fails, kubectl describe shows FailedPreStopHook, and SIGTERM is sent at once."

_back_off(container) := "" if {
	container.restartPolicy == "Never"
} else := sprintf(" or %s", [status.of(container, "CrashLoopBackOff")])

_fix(slip) := "run the whole line as one script: [\"sh\", \"-c\", \"...\"]." if {
	count(object.get(slip, "meant", [])) == 0
} else := execs.glued(slip).fix if {
	slip.form == "glued"
} else := execs.written(slip)
